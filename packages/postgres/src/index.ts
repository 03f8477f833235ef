/** The public API of the PostgreSQL adapters. */

export { applyRetention } from './apply-retention.ts';
export { cleanUp } from './clean-up.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export { postgresIdempotencyKeys } from './idempotency.ts';
export { type KeyUses, keyUses, resealSecrets } from './keys.ts';
export { migrate, pendingMigrations, serverFacts } from './migrate.ts';
export {
  type MovedOrganization,
  type MoveError,
  moveOrganization,
  type OrganizationMove,
} from './organization-move.ts';
export { removeOrganization } from './organization-removal.ts';
export { equipForPooler, type Pooler, poolerBefore, prepareForPooler } from './pooler.ts';
export { postgresRateLimiter } from './rate-limiter.ts';
export type { SharedKey } from './rule-keys.ts';
export { type RowCounts, rowCounts, withSnapshot } from './snapshot.ts';
export { HotStandby, type StandbyLag, type StandbyStats } from './standby.ts';
export { standbyFault } from './standby-fault.ts';
export { type OutboxStats, outboxStats, type PoolStats, poolStats } from './stats.ts';
export { PostgresUnitOfWork, type SecretBoxes } from './unit-of-work.ts';
export type {
  SentStatement,
  SlowStatement,
  StatementServer,
  StatementWatchers,
  TracedStatement,
} from './watched-client.ts';
export { zoneCacheBytes } from './zone-cache.ts';
