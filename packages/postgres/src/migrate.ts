import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { isEndedConnection } from './failures.ts';
import { renewRuleKeys, type SharedKey } from './rule-keys.ts';
import { withoutTimeLimits } from './time-limits.ts';

const directory = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Brings the schema up to date, and what is computed from the content of rules. Instances that start at the same time take turns
 * under an advisory lock; all migrations of one run commit together, and nothing depends on more than the transaction, so a
 * connection pooler may be in between. Resolves to rules that share a key with another one by what is computed now.
 * Rejects when the database cannot be reached or a migration fails.
 */
export async function migrate(url: string): Promise<readonly SharedKey[]> {
  return connectedAgain(url, async (client) => {
    if (!(await isUpToDate(client))) await runMigrations(client);
    return renewRuleKeys(client);
  });
}

/** The names of migrations of this release that the database lacks, in their order. Rejects when it cannot be reached. */
export const pendingMigrations = (url: string): Promise<readonly string[]> =>
  connectedAgain(url, async (client) => {
    const applied = new Set(await appliedMigrations(client));
    return (await ownMigrations()).filter((name) => !applied.has(name));
  });

/** The version of the server, in words and as a number (`150004` for 15.4). Rejects when it cannot be reached. */
export const serverFacts = (url: string): Promise<{ readonly version: string; readonly number: number }> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ version: string; number: number }>(
      "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
    );
    const [facts] = rows;
    if (facts === undefined) throw new Error('The server does not say its version.');
    return facts;
  });

/** Does work on a connection of its own. Rejects when the database cannot be reached. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  // A connection that is ended between two statements fails with the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const maxAttempts = 5;
const pauseMilliseconds = 100;

/**
 * Like `connected`, for work that can be done again: it is when the connection was ended, as another instance does that starts behind a
 * pooler for the first time (see `prepareForPooler`).
 */
export async function connectedAgain<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  attempts = maxAttempts,
): Promise<T> {
  try {
    return await connected(url, work);
  } catch (error) {
    if (attempts === 1 || !isEndedConnection(error)) throw error;
    await pause(pauseMilliseconds);
    return connectedAgain(url, work, attempts - 1);
  }
}

async function runMigrations(client: Client): Promise<void> {
  // Loaded only where there is something to do.
  const { PG_MIGRATE_LOCK_ID, runner } = await import('node-pg-migrate');
  // The lock of the runner belongs to the session. The same one for a transaction excludes earlier releases, too.
  await client.query(`BEGIN; ${withoutTimeLimits} SELECT pg_advisory_xact_lock(${PG_MIGRATE_LOCK_ID})`);
  // It begins the transaction once more, which only earns a warning, and commits it.
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
  // For the case that another instance has done everything meanwhile.
  await client.query('COMMIT');
}

/** Whether the database has the migrations of this release, and no others. */
async function isUpToDate(client: Client): Promise<boolean> {
  return (await appliedMigrations(client)).toSorted().join() === (await ownMigrations()).join();
}

async function appliedMigrations(client: Client): Promise<readonly string[]> {
  const found = await client.query<{ known: string | null }>("SELECT to_regclass('schema_migrations') AS known");
  if ((found.rows[0]?.known ?? null) === null) return [];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
  return rows.map(({ name }) => name);
}

const ownMigrations = async (): Promise<readonly string[]> =>
  (await readdir(directory)).map((file) => file.replace(/\.sql$/, '')).toSorted();

const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
