import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { Mailer, MailNotAccepted, QueuedMail } from './ports.ts';

const leaseSeconds = 60;
const greatestAttempts = 12;
const firstDelaySeconds = 10;
const greatestDelaySeconds = 60 * 60;

/** Resolves to whether there was a mail to deliver; a refused mail stays queued and is tried again later. */
export type DeliverNextMail = () => ResultAsync<'delivered' | 'nothing due', MailNotAccepted>;

/**
 * Delivers the next mail of the outbox, at least once. No transaction is open while the mail is handed over:
 * a lease keeps other instances away, and a crash lets it run out.
 */
export const deliverNextMail =
  ({ unitOfWork, mailer }: { unitOfWork: UnitOfWork; mailer: Mailer }): DeliverNextMail =>
  () =>
    unitOfWork
      .run(({ outbox }) => outbox.claim(leaseSeconds))
      .andThen((queued) =>
        queued === undefined ? okAsync('nothing due' as const) : deliver(unitOfWork, mailer, queued),
      );

const deliver = (unitOfWork: UnitOfWork, mailer: Mailer, { id, mail, attempts }: QueuedMail) =>
  mailer
    .send(mail)
    .andThen(() => unitOfWork.run(({ outbox }) => outbox.markSent(id)).map(() => 'delivered' as const))
    .orElse((refused) =>
      unitOfWork
        .run(({ outbox }) =>
          attempts < greatestAttempts ? outbox.retryLater(id, retryDelaySeconds(attempts)) : outbox.giveUp(id),
        )
        .andThen(() => errAsync(refused)),
    );

/** Seconds until the next try: doubling from 10 seconds, never more than an hour. */
export const retryDelaySeconds = (attempts: number): number =>
  Math.min(firstDelaySeconds * 2 ** (attempts - 1), greatestDelaySeconds);
