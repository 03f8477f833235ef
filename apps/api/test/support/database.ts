import { startTemporaryPostgres } from '@zonewright/dev-postgres';
import { type Database, migrate, openDatabase } from '@zonewright/postgres';

/** One server for the whole run, with the database that all others are copies of. */
interface Server {
  readonly url: string;
  readonly maintenance: Database;
  stop(): Promise<void>;
}

/** Started by the first who needs it, stopped after the last test. */
let server: Promise<Server> | undefined;
let count = 0;

after(async () => {
  const running = await server;
  await running?.stop();
});

/** Migrations are the same for everybody: they run once, and a copy of their result takes a few milliseconds. */
async function start(): Promise<Server> {
  const running = await startTemporaryPostgres();
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

/** A database of its own with all migrations and no rows, and its URL. */
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
