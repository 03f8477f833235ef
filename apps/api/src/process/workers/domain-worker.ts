import type { lookAtNextDomain } from '@zonewright/core';
import type { Logger } from 'pino';
import { type Worker, workers } from './worker.ts';

const pauseMilliseconds = 5_000;
/** Concurrent looks: name servers that do not answer must not hold up the others. */
const looks = 3;

/** What looking at domains needs. */
interface Looking {
  readonly look: ReturnType<typeof lookAtNextDomain>;
  readonly log: Logger;
}

/** Looks at domains that are due, a few at a time. Storage decides which are, so processes never look twice. */
export const domainWorker = ({ look, log }: Looking): Worker =>
  workers(looks, {
    pauseMilliseconds,
    round: () =>
      look().match(
        (outcome) => outcome === 'done',
        (impossible) => impossible,
      ),
    onFailure: (failure) => log.error({ err: failure }, 'looking at a domain failed'),
  });
