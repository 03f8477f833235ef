import { startTemporaryPostgres } from '@zonewright/dev-postgres';
import { type Database, openDatabase } from '@zonewright/postgres';

/** One server for the whole run: started by the first who needs it, stopped after the last test. */
let server: ReturnType<typeof startTemporaryPostgres> | undefined;
let count = 0;

after(async () => {
  const running = await server;
  await running?.stop();
});

/** An empty database of its own, and its URL. */
export async function freshDatabase(): Promise<{ readonly url: string; readonly database: Database }> {
  server ??= startTemporaryPostgres();
  const { url: serverUrl } = await server;
  count += 1;
  const name = `api_${count}`;
  const maintenance = openDatabase({ url: serverUrl, connections: 1 });
  await maintenance.none(`CREATE DATABASE ${name}`);
  await maintenance.$pool.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, database: openDatabase({ url: url.href, connections: 2 }) };
}
