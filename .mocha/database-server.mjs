/** Mocha's global fixtures: a PostgreSQL server for all test processes, which find it as `TEST_DATABASE_URL`. */
import { startTemporaryPostgres } from '../packages/dev-postgres/src/index.ts';

let server;

export async function mochaGlobalSetup() {
  server = await startTemporaryPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

export async function mochaGlobalTeardown() {
  await server?.stop();
}
