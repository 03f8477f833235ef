import type { Logger } from 'pino';
import type { Storage } from '../storage.ts';
import { type Worker, worker } from './worker.ts';

const pauseMilliseconds = 60_000;

/** Deletes expired records once a minute, in small batches. */
export const cleanUpWorker = ({ storage, log }: { readonly storage: Storage; readonly log: Logger }): Worker =>
  worker({
    pauseMilliseconds,
    round: async () => {
      await storage.limiter.removeExpired();
      return storage.cleanUp();
    },
    onFailure: (failure) => log.warn({ err: failure }, 'clean-up not possible, will be retried'),
  });
