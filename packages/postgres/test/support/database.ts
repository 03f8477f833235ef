import { randomBytes } from 'node:crypto';
import { sharedTemporaryPostgres } from '@zonewright/dev-postgres';
import { type Database, migrate, openDatabase } from '../../src/index.ts';

/** A server for tests: TEST_DATABASE_URL (as superuser), or an embedded one. */
interface Server {
  readonly url: string;
  readonly admin: Database;
  stop(): Promise<void>;
}

let server: Promise<Server> | undefined;
let template: Promise<string> | undefined;
const made: string[] = [];
const prefix = `zonewright_test_${randomBytes(4).toString('hex')}`;

/** Starts the server for the first test; shared by all tests of the process. */
const running = (): Promise<Server> => (server ??= start());

async function start(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'];
  const { url, ...own } = given === undefined ? await ownServer() : { url: given, stop: dropAll };
  const admin = openDatabase({ url, connections: 2 });
  return {
    url,
    admin,
    stop: async () => {
      await own.stop();
      await admin.$pool.end();
    },
  };
}

async function ownServer() {
  const own = await sharedTemporaryPostgres();
  return { url: own.url, stop: () => own.stop() };
}

async function dropAll(): Promise<void> {
  const { admin } = await running();
  for (const name of made) await admin.none(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function create(from: string): Promise<string> {
  const { admin, url } = await running();
  const name = `${prefix}_${made.length}`;
  made.push(name);
  await admin.none(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  return inDatabase(url, name);
}

/** The URL of another database on the same server. */
function inDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Creates an empty database; resolves to its URL. */
export const emptyDatabase = (): Promise<string> => create('template0');

/** Creates a fully migrated database for one test file; resolves to its URL. */
export async function testDatabase(): Promise<string> {
  template ??= migratedTemplate();
  return create(await template);
}

async function migratedTemplate(): Promise<string> {
  const url = await emptyDatabase();
  await migrate(url);
  return new URL(url).pathname.slice(1);
}

// A root hook: the server is stopped after the last test.
after(async function () {
  this.timeout(60_000);
  await (await server)?.stop();
});
