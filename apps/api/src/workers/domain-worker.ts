import type { lookAtNextDomain } from '@zonewright/core';
import type { Logger } from 'pino';
import { type Worker, worker } from './worker.ts';

const pauseMilliseconds = 5_000;
/** Concurrent looks: name servers that do not answer must not hold up the others. */
const looks = 3;

/** Looks at domains that are due, a few at a time. Storage decides which are, so processes never look twice. */
export function domainWorker({
  look,
  log,
}: {
  readonly look: ReturnType<typeof lookAtNextDomain>;
  readonly log: Logger;
}): Worker {
  const workers = Array.from({ length: looks }, () =>
    worker({
      pauseMilliseconds,
      round: () =>
        look().match(
          (outcome) => outcome === 'done',
          (impossible) => impossible,
        ),
      onFailure: (failure) => log.error({ err: failure }, 'looking at a domain failed'),
    }),
  );
  return {
    start: () => {
      for (const each of workers) each.start();
    },
    stop: async () => {
      await Promise.all(workers.map((each) => each.stop()));
    },
  };
}
