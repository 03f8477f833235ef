import { sharedTemporaryPostgres } from '@zonewright/dev-postgres';
import { type Database, migrate, openDatabase } from '@zonewright/postgres';

/** One server for the whole run, with a template database. */
interface Server {
  readonly url: string;
  readonly maintenance: Database;
  stop(): Promise<void>;
}

/** Started on first use, stopped after the last test. */
let server: Promise<Server> | undefined;
let count = 0;

after(async () => {
  const running = await server;
  await running?.stop();
});

/** Migrations run once; copying the resulting template takes a few milliseconds. */
async function start(): Promise<Server> {
  const running = await sharedTemporaryPostgres();
  const { url } = running;
  const maintenance = openDatabase({ url, connections: 2 });
  await maintenance.none('CREATE DATABASE migrated');
  await migrate(inDatabase(url, 'migrated'));
  return {
    url,
    maintenance,
    stop: async () => {
      await maintenance.$pool.end();
      await running.stop();
    },
  };
}

/** Creates a fully migrated, empty database; returns it with its URL. */
export async function freshDatabase(): Promise<{ readonly url: string; readonly database: Database }> {
  server ??= start();
  const { url: serverUrl, maintenance } = await server;
  count += 1;
  const name = `api_${count}`;
  await maintenance.none(`CREATE DATABASE ${name} TEMPLATE migrated`);
  const url = inDatabase(serverUrl, name);
  return { url, database: openDatabase({ url, connections: 2 }) };
}

/** The URL of another database on the same server. */
function inDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
