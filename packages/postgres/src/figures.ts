import type { Database } from './database.ts';
import { sql } from './sql.ts';

/** How busy storage is at this moment. */
export interface StorageFigures {
  /** Connections of this process, and the units of work that wait for one. */
  readonly pool: { readonly connections: number; readonly idle: number; readonly waiting: number };
  /** Mails of all instances that are neither sent nor given up on, and for how long the first of them has waited. */
  readonly outbox: { readonly mails: number; readonly oldestSeconds: number };
}

/** Rejects when the database does not answer. */
export async function storageFigures(database: Database): Promise<StorageFigures> {
  const outbox = await database.one<StorageFigures['outbox']>(sql.figures.outbox.prepared());
  const { totalCount: connections, idleCount: idle, waitingCount: waiting } = database.$pool;
  return { pool: { connections, idle, waiting }, outbox };
}
