import type { DeliverNextMail } from '@zonewright/core';
import type { Logger } from 'pino';
import { type Worker, worker } from './worker.ts';

const pauseMilliseconds = 500;

/** Delivers queued mails one after another, looks for new ones twice a second, and never gives up. */
export const mailWorker = ({ deliverNextMail, log }: { deliverNextMail: DeliverNextMail; log: Logger }): Worker =>
  worker({
    pauseMilliseconds,
    round: async () =>
      (await deliverNextMail()).match(
        (outcome) => outcome === 'done',
        ({ reason }) => {
          log.warn({ reason }, 'a mail was not accepted and will be tried again');
          return true;
        },
      ),
    onFailure: (failure) => log.error({ err: failure }, 'mails cannot be delivered at this moment'),
  });
