/** What operators and background workers do to a database, beyond the ports. */

export { removeAccount } from './account-removal.ts';
export { applyRetention } from './apply-retention.ts';
export { attempted, type BatchFailed, postgresExpiry } from './expiry.ts';
export { missingSettings } from './missing-settings.ts';
export { removeOrganization } from './organization-removal.ts';
export { type RowCounts, rowCounts, withSnapshot } from './snapshot.ts';
export { type OutboxStats, outboxStats, type PoolStats, poolStats } from './stats.ts';
