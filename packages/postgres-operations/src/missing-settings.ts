import { openDatabase, type Pooler, sessionSettings } from '@zonewright/postgres';
import { statementFile } from './statement-file.ts';

const missing = statementFile('settings/missing.sql');

/**
 * The settings that sessions of the service lack, as statements that give them to its role: a pooler passes none on.
 * Empty if they have all. Rejects when the database is unreachable.
 */
export async function missingSettings(url: string, pooler: Pooler): Promise<readonly string[]> {
  const database = openDatabase({ url, pooler, connections: 1 });
  try {
    const values = { settings: JSON.stringify(sessionSettings) };
    return await database.map(missing.prepared(values), undefined, (row: { statement: string }) => row.statement);
  } finally {
    await database.$pool.end();
  }
}
