export { memoryIdempotencyKeys } from './idempotency-keys.ts';
export { MemoryRateLimiter } from './rate-limiter.ts';
export * from './stand-ins.ts';
export { MemoryUnitOfWork } from './unit-of-work.ts';
