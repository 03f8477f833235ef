import type { Server } from 'node:http';
import { type Config, readPasswordBlocklist } from '@zonewright/configuration';
import { type HashingGate, hashingGate } from '@zonewright/crypto';
import { compose, type Environment, ids } from './composition-root.ts';
import { migrated, openedStorage } from './database-start.ts';
import { documentationLink } from './description/linked-data/vocabulary.ts';
import type { Following } from './following/following.ts';
import { openFollowing } from './following/open-following.ts';
import { timedHashing } from './following/timed-parts.ts';
import { httpServer } from './http/server.ts';
import { listen } from './listen.ts';
import type { LogFigures, Measured, Metrics } from './metrics.ts';
import { alone, type Place } from './processes/place.ts';
import type { PostgresStorageOptions, Storage } from './storage.ts';

/** The API while it serves. */
export interface RunningService {
  /** Where it answers; differs from the public base URL behind a proxy. */
  readonly url: string;
  /** Takes no more connections, finishes the requests under way, and closes everything it opened. */
  close(): Promise<void>;
}

const drainMilliseconds = 15_000;

/** What a service needs besides its storage. */
export type ServiceOptions = Omit<Environment, 'metrics' | 'following' | 'blocklist' | 'isDraining' | 'storage'> &
  LogFigures;

/** What a start from a database needs. */
export type StartOptions = ServiceOptions & Omit<PostgresStorageOptions, 'pooler'>;

/** Serves from a database that another process has migrated. */
export const joinService = (given: StartOptions): Promise<RunningService> =>
  serve(given, (following) => openedStorage({ ...given, follow: following?.follow }));

/** Migrates the database and serves from it. Rejects with `StartMistake` for what a person can correct. */
export const startService = (given: StartOptions): Promise<RunningService> =>
  serve(given, async (following) => {
    await migrated({ ...given, databaseDirectUrl: given.config.databaseDirectUrl });
    return openedStorage({ ...given, follow: following?.follow });
  });

/**
 * Opens the storage, starts delivering mails, and listens. The storage is closed with the service. Rejects with
 * `StartMistake` for what a person can correct.
 */
export async function serve(
  given: ServiceOptions,
  openStorage: (following: Following | undefined) => Promise<Storage>,
): Promise<RunningService> {
  const { config, place = alone } = given;
  const blocklist = readPasswordBlocklist(config.passwordBlocklistFile);
  const following = await openFollowing(config, given.log);
  const plain = await openStorage(following);
  const hashing = hashingIn(given, following);
  const metrics =
    config.metricsPort === undefined ? undefined : await loadedMetrics({ ...given, storage: plain, hashing });
  const storage = measured(plain, metrics);
  let draining = false;
  const isDraining = () => draining;
  const container = compose({ ...given, hashing, storage, metrics, following, blocklist, isDraining });
  const server = httpServer(container.get(ids.app), { isDraining, documentation: documentationLink(config) });
  const opened: Closable[] = [{ close: () => container.unbindAllAsync() }];
  if (following !== undefined) opened.unshift(following);
  const close = async () => {
    for (const each of opened.toReversed()) await each.close();
  };
  try {
    if (metrics !== undefined) opened.push(await offered(metrics, config, place));
    await listen(server, { ...config, variable: 'PORT' });
  } catch (failure) {
    await close();
    throw failure;
  }
  // What is done in the background is safe to be done by all, but one process of a machine is enough.
  const background = place.index === 0 ? [container.get(ids.mailWorker), container.get(ids.cleanUpWorker)] : [];
  for (const worker of background) {
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

function hashingIn({ hashing: gate = hashingGate() }: ServiceOptions, following: Following | undefined): HashingGate {
  return following === undefined ? gate : timedHashing(gate, following.timed);
}

const measured = (storage: Storage, metrics: Metrics | undefined): Storage =>
  metrics === undefined ? storage : { ...storage, limiter: metrics.limiter(storage.limiter) };

/** Loaded only where figures are read. */
const loadedMetrics = async (given: Measured) => (await import('./metrics.ts')).openMetrics(given);

/** Figures of one of several processes are served by the one that started it. */
async function offered(metrics: Metrics, { host, metricsPort = 0 }: Config, place: Place): Promise<Closable> {
  if (place.of === 1) return metrics.serve(host, metricsPort);
  metrics.share();
  return { close: async () => {} };
}

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
