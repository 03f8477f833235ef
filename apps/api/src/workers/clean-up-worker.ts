import { cleanUp, type Database, type RateLimiter } from '@zonewright/postgres';
import type { Logger } from 'pino';
import { type Worker, worker } from './worker.ts';

const pauseMilliseconds = 60_000;

/** Deletes what has expired, once a minute, in small steps. */
export const cleanUpWorker = ({
  database,
  limiter,
  log,
}: {
  database: Database;
  limiter: RateLimiter;
  log: Logger;
}): Worker =>
  worker({
    pauseMilliseconds,
    round: async () => {
      await limiter.removeExpired();
      return (await cleanUp(database)) > 0;
    },
    onFailure: (failure) => log.warn({ err: failure }, 'clean-up of expired rows failed'),
  });
