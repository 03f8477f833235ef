import type { Database } from './database.ts';
import { inTime } from './in-time.ts';
import { sql } from './sql.ts';

/** The process's current connections, and the units of work waiting for one. */
export interface PoolFigures {
  readonly connections: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Undelivered mails of all instances, and the age of the oldest. */
export interface OutboxFigures {
  readonly mails: number;
  readonly oldestSeconds: number;
}

/** Runs no statement. */
export const poolFigures = ({ $pool: pool }: Database): PoolFigures => ({
  connections: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});

/** Rejects when the database does not respond within a second. */
export const outboxFigures = (database: Database): Promise<OutboxFigures> =>
  inTime(database.one<OutboxFigures>(sql.figures.outbox.prepared()), 'the database');
