import { randomBytes } from 'node:crypto';
import { startTemporaryPostgres } from './embedded-postgres.ts';

/** Creates databases for tests. The functions resolve to the URL of a new database that nothing else uses. */
export interface TestDatabases {
  /** A database without a schema. */
  readonly empty: () => Promise<string>;
  /** A copy of a database that has been migrated once. */
  readonly migrated: () => Promise<string>;
}

/**
 * Databases on one server for all tests of this process: on `TEST_DATABASE_URL`, with a superuser's role, if it is set,
 * where they remain; otherwise on a temporary server, started on first use. `migrate` prepares the database with the given
 * URL, unless `TEST_DATABASE_TEMPLATE` names one on this server that has been migrated.
 */
export function testDatabases(migrate: (url: string) => Promise<unknown>): TestDatabases {
  let template: Promise<string> | undefined;
  const empty = () => create('template0');
  const prepare = async () => {
    const prepared = process.env['TEST_DATABASE_TEMPLATE'];
    if (prepared !== undefined) return prepared;
    const url = await empty();
    await migrate(url);
    return new URL(url).pathname.slice(1);
  };
  return { empty, migrated: async () => create(await (template ??= prepare())) };
}

let server: Promise<string> | undefined;
let count = 0;
/** Other processes may use the same server. */
const prefix = `test_${randomBytes(6).toString('hex')}`;

async function create(template: string): Promise<string> {
  const url = await (server ??= serverUrl());
  count += 1;
  const name = `${prefix}_${count}`;
  // Serving a development database does not need the driver.
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    // Takes half of the processor time of the other strategy, which writes every page to the log.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function serverUrl(): Promise<string> {
  return process.env['TEST_DATABASE_URL'] ?? (await startTemporaryPostgres()).url;
}
