import type { Database } from './database.ts';
import { inTime } from './in-time.ts';
import { sql } from './sql.ts';

/** Connections of this process at this moment, and the units of work that wait for one. */
export interface PoolFigures {
  readonly connections: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Mails of all instances that are neither sent nor given up on, and for how long the first of them has waited. */
export interface OutboxFigures {
  readonly mails: number;
  readonly oldestSeconds: number;
}

/** Asks no database. */
export const poolFigures = ({ $pool: pool }: Database): PoolFigures => ({
  connections: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});

/** Rejects when the database does not answer within a second. */
export const outboxFigures = (database: Database): Promise<OutboxFigures> =>
  inTime(database.one<OutboxFigures>(sql.figures.outbox.prepared()), 'the database');
