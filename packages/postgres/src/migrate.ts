import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Brings the schema up to date. Instances that start at the same time take turns under an advisory lock; all
 * migrations of one run commit together. Rejects when the database cannot be reached or a migration fails.
 */
export async function migrate(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    await runner({
      dbClient: client,
      dir: directory,
      migrationsTable: 'schema_migrations',
      direction: 'up',
      advisoryLockMode: 'wait',
      singleTransaction: true,
      verbose: false,
      logger: silent,
    });
  } finally {
    await client.end();
  }
}

const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
