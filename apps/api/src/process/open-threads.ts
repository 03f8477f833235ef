import { availableParallelism } from 'node:os';
import type { Config, Keys } from '@zonewright/configuration';
import type { Logger } from 'pino';
import {
  type ClosableRequestThreads,
  type RequestThreadsOptions,
  requestThreads,
} from '../admission/request-threads.ts';
import { type ProcessSlot, shareOf } from '../process-slot.ts';
import type { PostgresStorageOptions } from './storage.ts';
import { workerUrl } from './worker-url.ts';

/** What a request thread needs to answer like the process: plain data. */
export interface ThreadData extends Pick<PostgresStorageOptions, 'databaseUrl'> {
  readonly config: Config;
  readonly keys: Keys;
  readonly slot: ProcessSlot;
}

/** Connections of one thread: a request uses one, and a transaction may need a second. */
const connections = 2;

/** The request threads of a process: one per core, and at least two, so that nobody waits for one long request. */
export const openThreads = (
  { config, keys, databaseUrl, slot }: ThreadData,
  log: Logger,
  limits: Partial<RequestThreadsOptions> = {},
): ClosableRequestThreads =>
  requestThreads({
    program: workerUrl,
    // The database driver reads variables, such as PGPASSWORD.
    env: process.env,
    data: { config: { ...config, databasePool: connections }, keys, databaseUrl, slot } satisfies ThreadData,
    concurrency: Math.max(2, shareOf(availableParallelism(), slot)),
    log,
    ...limits,
  });
