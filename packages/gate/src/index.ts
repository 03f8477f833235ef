export { type Gate, type GateLimits, type GateRejection, type GateStats, gate, type Lane } from './gate.ts';
export { LruCache } from './lru-cache.ts';
export { beginStep, type OnWork, timeComputing } from './work.ts';
