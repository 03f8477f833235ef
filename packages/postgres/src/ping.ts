import type { Database } from './database.ts';
import { sql } from './sql.ts';

/** Rejects while the database is unreachable. */
export const ping = (database: Database): Promise<unknown> => database.one(sql.ping.prepared());
