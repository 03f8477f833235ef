import type { DeliverNextMail } from '@zonewright/core';
import type { Logger } from 'pino';
import { type Worker, worker } from './worker.ts';

const pauseMilliseconds = 500;
/** Concurrent deliveries: one per mailer connection, so that a slow one does not hold up the others. */
const deliveries = 3;

/** Delivers queued mails, a few at a time; polls twice a second and never gives up. */
export function mailWorker(dependencies: { readonly deliverNextMail: DeliverNextMail; readonly log: Logger }): Worker {
  const workers = Array.from({ length: deliveries }, () => deliveryWorker(dependencies));
  return {
    start: () => {
      for (const each of workers) each.start();
    },
    stop: async () => {
      await Promise.all(workers.map((each) => each.stop()));
    },
  };
}

const deliveryWorker = ({
  deliverNextMail,
  log,
}: {
  readonly deliverNextMail: DeliverNextMail;
  readonly log: Logger;
}): Worker =>
  worker({
    pauseMilliseconds,
    round: async () =>
      (await deliverNextMail()).match(
        (outcome) => outcome === 'done',
        ({ reason }) => {
          log.warn({ reason }, 'mail not accepted, will be retried');
          return true;
        },
      ),
    onFailure: (failure) => log.error({ err: failure }, 'mail delivery failed'),
  });
