import type { checkNextDomain } from '@zonewright/core';
import type { Logger } from 'pino';
import { type Worker, workers } from './worker.ts';

const pauseMilliseconds = 5_000;
/** Concurrent checks: name servers that do not answer must not hold up the others. */
const concurrentChecks = 3;

interface DomainWorkerDependencies {
  readonly checkNextDomain: ReturnType<typeof checkNextDomain>;
  readonly log: Logger;
}

/** Checks domains that are due, a few at a time. Storage decides which are, so no two processes check the same one. */
export const domainWorker = ({ checkNextDomain, log }: DomainWorkerDependencies): Worker =>
  workers(concurrentChecks, {
    pauseMilliseconds,
    round: () =>
      checkNextDomain().match(
        (outcome) => outcome === 'done',
        (impossible) => impossible,
      ),
    onFailure: (failure) => log.error({ err: failure }, 'checking a domain failed'),
  });
