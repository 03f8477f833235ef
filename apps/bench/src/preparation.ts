import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporaryPostgres } from '@zonewright/dev-postgres';
import { type Database, migrate, openDatabase } from '@zonewright/postgres';
import { type DataSet, fill, freshName, logIn } from './data-set.ts';
import { signed } from './floor-token.ts';
import { cpuOfChildren, encryptBanTokens, parentOf, startService } from './processes.ts';
import { sql } from './sql.ts';

/** Clean-up steps, run in reverse order at the end. */
export type Undo = (() => Promise<unknown>)[];

/** A filled database and the servers' environment. */
export type Preparation = Awaited<ReturnType<typeof prepare>>;

/** Runs work with a filled database and cleans up afterwards. */
export async function withPreparation(work: (prepared: Preparation, undo: Undo) => Promise<void>): Promise<void> {
  const undo: Undo = [];
  try {
    await work(await prepare(undo), undo);
  } finally {
    for (const each of undo.toReversed()) await each();
  }
}

async function prepare(undo: Undo) {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-bench-'));
  await chmod(folder, 0o711);
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await openedDatabase(undo);
  const data = await filled(databaseUrl, folder);
  const floorKey = randomBytes(32);
  const server = await databaseServer(databaseUrl);
  return {
    environment: { databaseUrl, folder, floorKey: floorKey.toString('hex'), organizations: data.organizations },
    data,
    /** Identifies the same user to the floor. */
    floorToken: signed(data.userId, floorKey),
    /** Total processor time of the database's processes. */
    databaseCpu: () => cpuOfChildren(server),
  };
}

/** A session of the account with all zones, renewed between measurements because access tokens expire. */
export async function openSession(port: number) {
  const session = { token: '' };
  const renew = async () => void Object.assign(session, await logIn(port));
  await renew();
  return { token: () => session.token, renew };
}

/** Creates a database on the server in DATABASE_URL, or on a temporary server. */
async function openedDatabase(undo: Undo): Promise<string> {
  const serverUrl = process.env['DATABASE_URL'];
  if (serverUrl === undefined) {
    const server = await startTemporaryPostgres();
    undo.push(() => server.stop());
    return server.url;
  }
  const name = freshName();
  const maintenance = openDatabase({ url: serverUrl, connections: 1 });
  await maintenance.none(`CREATE DATABASE ${name}`);
  undo.push(async () => {
    await maintenance.none(`DROP DATABASE ${name} WITH (FORCE)`);
    await maintenance.$pool.end();
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs work with a connection to a database. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, connections: 1 });
  try {
    return await work(database);
  } finally {
    await database.$pool.end();
  }
}

/** The server process whose children handle the database connections. */
const databaseServer = (url: string): Promise<number> =>
  withDatabase(url, async (database) => {
    const { backend } = await database.one<{ backend: number }>(sql('data/backend'));
    return parentOf(backend);
  });

async function filled(databaseUrl: string, folder: string): Promise<DataSet> {
  process.stderr.write('filling the database\n');
  await migrate(databaseUrl);
  const service = await startService({ databaseUrl, folder, floorKey: '', organizations: [] });
  try {
    return await withDatabase(databaseUrl, async (database) => {
      const data = await fill(database, service.port);
      await encryptBanTokens({ databaseUrl, folder });
      await database.none('VACUUM ANALYZE zones');
      return data;
    });
  } finally {
    await service.stop();
  }
}
