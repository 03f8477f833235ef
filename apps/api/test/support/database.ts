import { testDatabases } from '@zonewright/dev-postgres';
import { type Database, migrate, openDatabase } from '@zonewright/postgres';

const databases = testDatabases(migrate);

/** Creates a fully migrated, empty database; returns it with its URL. */
export async function freshDatabase(): Promise<{ readonly url: string; readonly database: Database }> {
  const url = await databases.migrated();
  return { url, database: openDatabase({ url, connections: 2 }) };
}
