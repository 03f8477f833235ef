export * from './fakes.ts';
export { memoryIdempotencyKeys } from './idempotency-keys.ts';
export { MemoryRateLimiter } from './rate-limiter.ts';
export { MemoryUnitOfWork } from './unit-of-work.ts';
