/** The public API of the PostgreSQL adapters. The last lines are for `@zonewright/postgres-operations`. */

export { readBanToken, type StoredBanToken } from './ban-tokens.ts';
export type { Connection } from './database.ts';
export { type Database, type DatabaseOptions, openDatabase, type Pooler } from './database.ts';
export { rethrow, storageFailure } from './failures.ts';
export { postgresZoneHistory } from './history.ts';
export { postgresIdempotencyKeys } from './idempotency.ts';
export { type KeyUses, keyUses, resealBanTokens, resealSecrets, sealBanTokens } from './keys.ts';
export { connected, connectedAgain, migrate, pendingMigrations, serverFacts } from './migrate.ts';
export { ping } from './ping.ts';
export { planSettings } from './plan-settings.ts';
export { postgresRateLimiter } from './rate-limiter.ts';
export { daysOf } from './retention.ts';
export type { SharedKey } from './rule-keys.ts';
export type { SecretBoxes } from './secret-boxes.ts';
export { HotStandby, type StandbyLag, type StandbyStats } from './standby.ts';
export { faultOfStandby, isStandby } from './standby-fault.ts';
export { type Statement, statement } from './statement.ts';
export { timeLimits, withoutTimeLimits } from './time-limits.ts';
export { PostgresUnitOfWork } from './unit-of-work.ts';
export type {
  SentStatement,
  SlowStatement,
  StatementServer,
  StatementWatchers,
  TracedStatement,
} from './watched-client.ts';
export { withTimeout } from './with-timeout.ts';
export { zoneCacheBytes } from './zone-cache.ts';
