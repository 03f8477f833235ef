import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { rowsOn } from './connection/query.ts';
import { withoutTimeLimits } from './connection/time-limits.ts';
import { sql } from './sql.ts';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Migrates the schema. Concurrent instances are serialized by an advisory lock; all migrations of a run commit together
 * in one transaction, so a connection pooler may be in between. Rejects when the database is unreachable or a migration
 * fails.
 */
export const migrate = (url: string): Promise<void> =>
  connected(url, async (client) => {
    if (!(await isUpToDate(client))) await runMigrations(client);
  });

/** Names of this release's migrations that are not applied yet, in order. Rejects when the database is unreachable. */
export const pendingMigrations = (url: string): Promise<readonly string[]> =>
  connected(url, async (client) => {
    const applied = new Set(await appliedMigrations(client));
    return (await ownMigrations()).filter((name) => !applied.has(name));
  });

/** The server version as text and as a number (`150004` for 15.4). Rejects when the database is unreachable. */
export const serverFacts = (url: string): Promise<{ readonly version: string; readonly number: number }> =>
  connected(url, async (client) => {
    const [facts] = await rowsOn<{ version: string; number: number }>(client, sql.migrations.server);
    if (facts === undefined) throw new Error('The server did not report its version.');
    return facts;
  });

/** Runs work on a separate connection. Rejects when the database is unreachable. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  // A connection that is closed between two statements fails at the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function runMigrations(client: Client): Promise<void> {
  // Loaded only when migrations are pending.
  const { PG_MIGRATE_LOCK_ID, runner } = await import('node-pg-migrate');
  // The runner's own lock is session-based.
  await client.query(`BEGIN; ${withoutTimeLimits}`);
  await rowsOn(client, sql.migrations.lock, { lock: PG_MIGRATE_LOCK_ID });
  // The runner begins the transaction again, which only causes a warning, and commits it.
  await runner({
    dbClient: client,
    dir: directory,
    migrationsTable: 'schema_migrations',
    direction: 'up',
    noLock: true,
    singleTransaction: true,
    verbose: false,
    logger: silent,
  });
  // In case another instance has already applied everything.
  await client.query('COMMIT');
}

/** Whether exactly the migrations of this release are applied. */
async function isUpToDate(client: Client): Promise<boolean> {
  return (await appliedMigrations(client)).toSorted().join() === (await ownMigrations()).join();
}

async function appliedMigrations(client: Client): Promise<readonly string[]> {
  const [table] = await rowsOn<{ name: string | null }>(client, sql.migrations.table);
  if ((table?.name ?? null) === null) return [];
  return (await rowsOn<{ name: string }>(client, sql.migrations.applied)).map(({ name }) => name);
}

const ownMigrations = async (): Promise<readonly string[]> =>
  (await readdir(directory)).map((file) => file.replace(/\.sql$/, '')).toSorted();

const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
