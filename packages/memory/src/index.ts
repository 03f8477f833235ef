export type { UserRow } from './account-rows.ts';
export { memoryExpiry } from './expiry.ts';
export * from './fakes.ts';
export { memoryIdempotencyKeys } from './idempotency-keys.ts';
export { membershipsOf } from './memberships.ts';
export type { OrganizationRow } from './organization-rows.ts';
export { MemoryRateLimiter } from './rate-limiter.ts';
export type { Tables } from './tables.ts';
export { MemoryUnitOfWork } from './unit-of-work.ts';
