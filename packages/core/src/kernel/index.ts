/** Values and ports that every context may use. */

export type * from './expiry/ports.ts';
export * from './idempotency/errors.ts';
export { idempotencyKeyLifetimeSeconds } from './idempotency/lifetime.ts';
export type * from './idempotency/ports.ts';
export * from './mail/email.ts';
export * from './mail/mail.ts';
export * from './mail/mailed-token.ts';
export * from './mail/ports.ts';
export * from './rate-limits/cost.ts';
export * from './rate-limits/limit-status.ts';
export type * from './rate-limits/ports.ts';
export type { KernelRepositories } from './repositories.ts';
export type { Client } from './shared/client.ts';
export { StorageUnavailable } from './shared/failures.ts';
export * from './shared/ids.ts';
export * from './shared/json.ts';
export {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonOf,
  mergePatch,
  withoutUndefined,
} from './shared/json.ts';
export { lazily } from './shared/lazily.ts';
export { memoized } from './shared/memoized.ts';
export * from './shared/page.ts';
export { coded, parse, parseDocument } from './shared/parse.ts';
export type { Randomness } from './shared/randomness.ts';
export type { ComparableSecretBox, SecretBox } from './shared/secret-box.ts';
export type { Sha256 } from './shared/sha256.ts';
export { nameKey, searchKey, text, utf8Bytes } from './shared/text.ts';
export type * from './shared/token-hash.ts';
export type { CombinedUnits, UnitOfWork } from './shared/unit-of-work.ts';
export { type ExpectedVersions, requireVersion, type Version, versionMismatch } from './shared/version.ts';
export {
  type InvalidInput,
  invalidInput,
  under,
  type Violation,
  violation,
  violationsUnder,
} from './shared/violation.ts';
export { limitsInForce } from './usage-limits/limits-in-force.ts';
export * from './usage-limits/usage-limits.ts';
