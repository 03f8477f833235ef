/**
 * Mocha's global fixtures: a PostgreSQL server for all test processes, which find it as `TEST_DATABASE_URL`, with the
 * migrated database `TEST_DATABASE_TEMPLATE`, which they copy.
 */
import { startTemporaryPostgres, testDatabases } from '../packages/dev-postgres/src/index.ts';
import { migrate } from '../packages/postgres/src/index.ts';

let server;

export async function mochaGlobalSetup() {
  server = await startTemporaryPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  const template = await testDatabases(migrate).migrated();
  process.env.TEST_DATABASE_TEMPLATE = new URL(template).pathname.slice(1);
}

export async function mochaGlobalTeardown() {
  await server?.stop();
}
