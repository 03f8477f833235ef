import type { Database } from './database.ts';
import { statementFile } from './statement.ts';

const statement = statementFile('kernel/ping.sql');

/** Rejects while the database is unreachable. */
export const ping = (database: Database): Promise<unknown> => database.one(statement.prepared());
