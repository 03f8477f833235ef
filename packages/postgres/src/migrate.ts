import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { renewRuleKeys, type SharedKey } from './rule-keys.ts';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Brings the schema up to date, and what is computed from the content of rules. Instances that start at the same time take turns under an advisory lock; all
 * migrations of one run commit together. Resolves to rules that share a key with another one by what is computed now.
 * Rejects when the database cannot be reached or a migration fails.
 */
export async function migrate(url: string): Promise<readonly SharedKey[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    if (!(await isUpToDate(client))) await runMigrations(client);
    return await renewRuleKeys(client);
  } finally {
    await client.end();
  }
}

async function runMigrations(client: Client): Promise<void> {
  // Loaded only where there is something to do.
  const { runner } = await import('node-pg-migrate');
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
}

/** Whether the database has the migrations of this release, and no others. */
async function isUpToDate(client: Client): Promise<boolean> {
  const found = await client.query<{ known: string | null }>("SELECT to_regclass('schema_migrations') AS known");
  if ((found.rows[0]?.known ?? null) === null) return false;
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
  const files = (await readdir(directory)).map((file) => file.replace(/\.sql$/, ''));
  return (
    rows
      .map(({ name }) => name)
      .toSorted()
      .join() === files.toSorted().join()
  );
}

const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
