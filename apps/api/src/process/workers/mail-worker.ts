import type { DeliverNextMail } from '@zonewright/core';
import type { Logger } from 'pino';
import { type Worker, workers } from './worker.ts';

const pauseMilliseconds = 500;
/** Concurrent deliveries: one per mailer connection, so that a slow one does not hold up the others. */
const deliveries = 3;

/** What delivering mails needs. */
interface Delivery {
  readonly deliverNextMail: DeliverNextMail;
  readonly log: Logger;
}

/** Delivers queued mails, a few at a time; polls twice a second and never gives up. */
export const mailWorker = ({ deliverNextMail, log }: Delivery): Worker =>
  workers(deliveries, {
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
