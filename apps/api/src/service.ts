import type { Server } from 'node:http';
import { readPasswordBlocklist, StartMistake } from '@zonewright/configuration';
import { hashingGate } from '@zonewright/crypto';
import { migrate, pendingMigrations, prepareForPooler } from '@zonewright/postgres';
import { compose, type Environment, ids } from './composition-root.ts';
import { documentationLink } from './description/linked-data/vocabulary.ts';
import { httpServer } from './http/server.ts';
import { listen } from './listen.ts';
import type { LogFigures, Measured } from './metrics.ts';
import { type PostgresStorageOptions, postgresStorage, type Storage } from './storage.ts';

/** The API while it serves. */
export interface RunningService {
  /** Where it answers; differs from the public base URL behind a proxy. */
  readonly url: string;
  /** Takes no more connections, finishes the requests under way, and closes everything it opened. */
  close(): Promise<void>;
}

const drainMilliseconds = 15_000;

/** What a service needs besides its storage. */
export type ServiceOptions = Omit<Environment, 'metrics' | 'blocklist' | 'isDraining' | 'storage'> & LogFigures;

/** At most so many rules are named in one line of the log. */
const maxLogged = 100;
const sharedKeys =
  'rules mean the same as others of their lists; they stay in force, and are refused when they are written again';

/** What a start from a database needs. */
type StartOptions = ServiceOptions & Omit<PostgresStorageOptions, 'pooler'>;

/** Migrates the database and serves from it. Rejects with `StartMistake` for what a person can correct. */
export const startService = (given: StartOptions): Promise<RunningService> =>
  serve(given, async () => {
    await migrated(given);
    return openedStorage(given);
  });

/** Migrates the database without a pooler in between, and makes sure that the service is going to find it so. */
async function migrated({ databaseUrl, config: { databaseDirectUrl }, log }: StartOptions): Promise<void> {
  const isDirect = databaseDirectUrl === undefined;
  const shared = await migrate(databaseDirectUrl ?? databaseUrl).catch(
    unusable(isDirect ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'),
  );
  if (shared.length > 0) log.warn({ rules: shared.slice(0, maxLogged), count: shared.length }, sharedKeys);
  if (isDirect) return;
  const pending = await pendingMigrations(databaseUrl).catch(unusable('DATABASE_URL'));
  if (pending.length > 0) throw new StartMistake(['DATABASE_DIRECT_URL: leads to another database than DATABASE_URL']);
}

/** The storage of a database that has been migrated, whatever it is reached through. */
async function openedStorage(given: StartOptions): Promise<Storage> {
  const pooler = await prepareForPooler(given.databaseUrl).catch(unusable('DATABASE_URL'));
  if (pooler !== undefined) given.log.info(pooler, 'the database is behind a connection pooler');
  return postgresStorage({ ...given, pooler });
}

/**
 * Opens the storage, starts delivering mails, and listens. The storage is closed with the service. Rejects with
 * `StartMistake` for what a person can correct.
 */
export async function serve(given: ServiceOptions, openStorage: () => Promise<Storage>): Promise<RunningService> {
  const { config } = given;
  const blocklist = readPasswordBlocklist(config.passwordBlocklistFile);
  const storage = await openStorage();
  const hashing = given.hashing ?? hashingGate();
  const metrics = config.metricsPort === undefined ? undefined : await loadedMetrics({ ...given, storage, hashing });
  let draining = false;
  const isDraining = () => draining;
  const container = compose({ ...given, hashing, storage, metrics, blocklist, isDraining });
  const server = httpServer(container.get(ids.app), { isDraining, documentation: documentationLink(config) });
  const opened: Closable[] = [{ close: () => container.unbindAllAsync() }];
  const close = async () => {
    for (const each of opened.toReversed()) await each.close();
  };
  try {
    if (metrics !== undefined) opened.push(await metrics.serve(config.host, config.metricsPort ?? 0));
    await listen(server, { ...config, variable: 'PORT' });
  } catch (failure) {
    await close();
    throw failure;
  }
  for (const worker of [container.get(ids.mailWorker), container.get(ids.cleanUpWorker)]) {
    worker.start();
    opened.push({ close: () => worker.stop() });
  }
  const takeLeave = () => {
    draining = true;
    return drain(server);
  };
  opened.push({ close: takeLeave });
  return { url: config.publicBaseUrl, close };
}

/** Loaded only where figures are read. */
const loadedMetrics = async (given: Measured) => (await import('./metrics.ts')).openMetrics(given);

interface Closable {
  close(): Promise<void>;
}

/** Idle connections close at once, busy ones when their request is answered, the last ones after 15 seconds. */
const drain = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const patience = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
    server.close(() => {
      clearTimeout(patience);
      resolve();
    });
    server.closeIdleConnections();
  });

const unusable =
  (variable: string) =>
  (failure: unknown): never => {
    const reason =
      failure instanceof Error ? failure.message || ('code' in failure ? String(failure.code) : '') : String(failure);
    throw new StartMistake([`${variable}: the database cannot be used (${reason})`], { cause: failure });
  };
