import type { Server } from 'node:http';
import { documentationLink } from '@zonewright/api-description';
import { type Config, listen, type ProviderEntry, readPasswordBlocklist } from '@zonewright/configuration';
import type { SignInProviders } from '@zonewright/core';
import { type HashingGate, hashingGate } from '@zonewright/crypto';
import type { ClosableRequestThreads, RequestThreadsOptions } from '../admission/request-threads.ts';
import { httpServer } from '../http/server.ts';
import type { LogMetrics, Measured, Metrics } from '../observability/metrics.ts';
import { openTracing } from '../observability/open-tracing.ts';
import type { Tracing } from '../observability/tracing.ts';
import { onlyProcess, type ProcessSlot } from '../process-slot.ts';
import { compose, type Environment, ids } from './composition-root.ts';
import { migrated } from './database-start.ts';
import { openThreads } from './open-threads.ts';
import { type PostgresStorageOptions, postgresStorage, type Storage } from './storage.ts';
import { timedHashing } from './timed-parts.ts';

/** The running API. */
export interface RunningService {
  /** Its own address; differs from the public base URL when proxied. */
  readonly url: string;
  /** Stops accepting connections, finishes current requests and closes everything it opened. */
  close(): Promise<void>;
}

const drainMilliseconds = 15_000;

/** What a service needs besides its storage. */
export type ServiceOptions = Omit<
  Environment,
  'metrics' | 'tracing' | 'blocklist' | 'isDraining' | 'storage' | 'threads'
> &
  LogMetrics & {
    /** The providers that people can sign in by; none by default. */
    readonly providers?: readonly ProviderEntry[];
  };

/** What starting from a database needs. */
export type StartOptions = ServiceOptions &
  PostgresStorageOptions & {
    /** Limits of the request threads; undefined: everything runs in the calling thread. Default: those of the machine. */
    readonly threadLimits?: Partial<RequestThreadsOptions> | undefined;
  };

/** What a service is opened with: its storage, and threads for requests that take long, if it has any. */
export interface Opened {
  readonly storage: Storage;
  readonly threads?: ClosableRequestThreads | undefined;
}

/** Serves from a database that another process has migrated. */
export const joinService = (options: StartOptions): Promise<RunningService> =>
  serve(options, async (tracing) => opened(options, tracing));

/** Migrates the database and serves from it. Rejects with `StartupError` for errors that the operator can fix. */
export const startService = (options: StartOptions): Promise<RunningService> =>
  serve(options, async (tracing) => {
    await migrated(options);
    return opened(options, tracing);
  });

function opened(options: StartOptions, tracing: Tracing | undefined): Opened {
  const { slot = onlyProcess, log } = options;
  const storage = postgresStorage({ ...options, trace: tracing?.trace });
  const limits = 'threadLimits' in options ? options.threadLimits : {};
  return { storage, threads: limits && openThreads({ ...options, slot }, log, limits) };
}

/**
 * Starts the background workers and listens. Closing the service closes the storage. Rejects with `StartupError` for
 * errors that the operator can fix.
 */
export async function serve(
  given: ServiceOptions,
  open: (tracing: Tracing | undefined) => Promise<Opened>,
): Promise<RunningService> {
  const options = { ...given, signInProviders: given.signInProviders ?? (await openedProviders(given)) };
  const { config, slot = onlyProcess } = options;
  const blocklist = readPasswordBlocklist(config.passwordBlocklistFile);
  const tracing = await openTracing(config, options.log);
  const { storage: plain, threads } = await open(tracing);
  const hashing = hashingIn(options, tracing);
  const metrics = await openedMetrics(config, { ...options, storage: plain, hashing, threads });
  const storage = measured(plain, metrics);
  let draining = false;
  const isDraining = () => draining;
  const container = compose({ ...options, hashing, storage, threads, metrics, tracing, blocklist, isDraining });
  const server = httpServer(container.get(ids.app), { isDraining, documentation: documentationLink(config) });
  const closables: Closable[] = [{ close: () => container.unbindAllAsync() }];
  if (tracing !== undefined) closables.unshift(tracing);
  const close = async () => {
    for (const each of closables.toReversed()) await each.close();
  };
  try {
    if (metrics !== undefined) closables.push(await offered(metrics, config, slot));
    await listen(server, { ...config, variable: 'PORT' });
  } catch (failure) {
    await close();
    throw failure;
  }
  // Background work may run in every process, but one per machine is enough.
  if (slot.index === 0) closables.push(...startedWorkers(container));
  const publisher = container.get(ids.publisher);
  const shutDown = async () => {
    draining = true;
    // Requests that wait are answered at once.
    await publisher.stop();
    return drain(server);
  };
  closables.push({ close: shutDown });
  return { url: config.publicBaseUrl, close };
}

function startedWorkers(container: ReturnType<typeof compose>): readonly Closable[] {
  const workers = [ids.mailWorker, ids.cleanUpWorker, ids.domainWorker, ids.publisher].map((id) => container.get(id));
  return workers.map((worker) => {
    worker.start();
    return { close: () => worker.stop() };
  });
}

function hashingIn({ hashing: gate = hashingGate() }: ServiceOptions, tracing: Tracing | undefined): HashingGate {
  return tracing === undefined ? gate : timedHashing(gate, tracing.timed);
}

const measured = (storage: Storage, metrics: Metrics | undefined): Storage =>
  metrics === undefined ? storage : { ...storage, limiter: metrics.limiter(storage.limiter) };

/** Loaded only when there are providers. */
const openedProviders = async ({
  config: { publicBaseUrl },
  providers = [],
}: ServiceOptions): Promise<SignInProviders | undefined> =>
  providers.length === 0
    ? undefined
    : (await import('@zonewright/federation')).federation(providers, {
        callbackUrl: (id) => `${publicBaseUrl}/api/auth/providers/${id}/callback`,
      });

/** Loaded only when metrics are enabled. */
const openedMetrics = async ({ metricsPort }: Config, parts: Measured): Promise<Metrics | undefined> =>
  metricsPort === undefined ? undefined : (await import('../observability/metrics.ts')).openMetrics(parts);

/** Serves the metrics, or shares them with the primary process when there are several processes. */
async function offered(metrics: Metrics, { host, metricsPort = 0 }: Config, slot: ProcessSlot): Promise<Closable> {
  if (slot.of === 1) return metrics.serve(host, metricsPort);
  metrics.share();
  return { close: async () => {} };
}

interface Closable {
  close(): Promise<void>;
}

/** Closes idle connections at once, busy ones after their response, and the rest after 15 seconds. */
const drain = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const gracePeriod = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
    server.close(() => {
      clearTimeout(gracePeriod);
      resolve();
    });
    server.closeIdleConnections();
  });
