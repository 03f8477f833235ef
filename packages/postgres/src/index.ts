/** The public API of the PostgreSQL adapters. The last lines are for `@zonewright/postgres-operations`. */

export { daysOf } from './accounts/retention.ts';
export type { Connection } from './connection/database.ts';
export { type Database, type DatabaseOptions, openDatabase, type Pooler } from './connection/database.ts';
export { rethrow, storageFailure } from './connection/failures.ts';
export { ping } from './connection/ping.ts';
export { sessionSettings } from './connection/session-settings.ts';
export { type Statement, statement } from './connection/statement.ts';
export { withoutTimeLimits } from './connection/time-limits.ts';
export type {
  SentStatement,
  SlowStatement,
  StatementServer,
  StatementWatchers,
  TracedStatement,
} from './connection/watched-client.ts';
export { postgresIdempotencyKeys } from './kernel/idempotency.ts';
export { postgresRateLimiter } from './kernel/rate-limiter.ts';
export type { SecretBoxes } from './kernel/secret-boxes.ts';
export { type KeyUses, keyUses, resealBanTokens, resealSecrets } from './keys.ts';
export { connected, migrate, pendingMigrations, serverFacts } from './migrate.ts';
export { PostgresUnitOfWork } from './session/unit-of-work.ts';
export { postgresZoneHistory } from './zones/history.ts';
export { zoneCacheBytes } from './zones/zone-cache.ts';
