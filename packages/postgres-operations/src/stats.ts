import type { Database } from '@zonewright/postgres';
import { statementFile } from './statement-file.ts';
import { withTimeout } from './with-timeout.ts';

/** The process's current connections, and the units of work waiting for one. */
export interface PoolStats {
  readonly connections: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Undelivered mails of all instances, and the age of the oldest. */
export interface OutboxStats {
  readonly mails: number;
  readonly oldestSeconds: number;
}

const undeliveredMails = statementFile('stats/outbox.sql');

/** Runs no statement. */
export const poolStats = ({ $pool: pool }: Database): PoolStats => ({
  connections: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});

/** Rejects when the database does not respond within a second. */
export const outboxStats = (database: Database): Promise<OutboxStats> =>
  withTimeout(database.one<OutboxStats>(undeliveredMails.prepared()), 'the database');
