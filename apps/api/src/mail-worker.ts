import type { DeliverNextMail } from '@zonewright/core';
import type { Logger } from 'pino';

const pollMilliseconds = 500;

export interface MailWorker {
  start(): void;
  /** Takes no more mails, and resolves when the delivery under way has ended. */
  stop(): Promise<void>;
}

/** Delivers queued mails one after another, looks for new ones twice a second, and never gives up. */
export function mailWorker({ deliverNextMail, log }: { deliverNextMail: DeliverNextMail; log: Logger }): MailWorker {
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;
  let current: Promise<void> = Promise.resolve();

  const round = async (): Promise<void> => {
    const worthAnotherLook = await deliver();
    if (!stopped) timer = setTimeout(begin, worthAnotherLook ? 0 : pollMilliseconds);
  };
  const deliver = async (): Promise<boolean> => {
    try {
      return (await deliverNextMail()).match(
        (outcome) => outcome === 'delivered',
        ({ reason }) => {
          log.warn({ reason }, 'a mail was not accepted and will be tried again');
          return true;
        },
      );
    } catch (failure) {
      log.error({ err: failure }, 'mails cannot be delivered at this moment');
      return false;
    }
  };
  const begin = () => {
    current = round();
  };
  return {
    start: () => {
      stopped = false;
      begin();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return current;
    },
  };
}
