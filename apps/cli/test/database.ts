import { type EmbeddedPostgres, sharedTemporaryPostgres } from '@zonewright/dev-postgres';
import { migrate, openDatabase } from '@zonewright/postgres';

/** Started on first use, stopped after the last test of the process. */
let server: Promise<EmbeddedPostgres> | undefined;
let template: Promise<string> | undefined;
let count = 0;

after(async () => (await server)?.stop());

/** Creates a database without a schema; resolves to its URL. */
export const emptyDatabase = (): Promise<string> => create('template0');

/** Creates a fully migrated database without data; resolves to its URL. */
export async function migratedDatabase(): Promise<string> {
  template ??= migratedTemplate();
  return create(await template);
}

async function migratedTemplate(): Promise<string> {
  const url = await emptyDatabase();
  await migrate(url);
  return new URL(url).pathname.slice(1);
}

async function create(from: string): Promise<string> {
  server ??= sharedTemporaryPostgres();
  const { url } = await server;
  count += 1;
  const name = `cli_${count}`;
  const maintenance = openDatabase({ url, connections: 1 });
  await maintenance.none(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  await maintenance.$pool.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
