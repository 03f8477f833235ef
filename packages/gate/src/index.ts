export { type FairGate, type FairGateLimits, fairGate } from './fair-gate.ts';
export { type Gate, type GateLimits, type GateRejection, type GateStats, gate, type Lane } from './gate.ts';
export { LruCache } from './lru-cache.ts';
export { NewestEntries } from './newest-entries.ts';
export { isBelowRate, type ReadingRate, readingStretch, type Stretch } from './reading-rate.ts';
export { IdleThreads, type IdleThreadsOptions } from './threads/idle-threads.ts';
export { lowerPriority } from './threads/lower-priority.ts';
export { threadClock } from './threads/thread-clock.ts';
export { type ThreadOptions, WorkerThread } from './threads/worker-thread.ts';
