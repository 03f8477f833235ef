import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { type Mailer, type MailNotAccepted, mailNotAccepted, type QueuedMail } from '../../kernel/mail/ports.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type MailPreparation, prepareMail } from './prepare-mail.ts';
import type { MailingRepositories } from './repositories.ts';

const leaseSeconds = 60;
const maxAttempts = 12;
const firstDelaySeconds = 10;
const maxDelaySeconds = 60 * 60;

/** Resolves to whether there was work; a rejected mail stays queued for a retry. */
export type DeliverNextMail = () => ResultAsync<'done' | 'nothing due', MailNotAccepted>;

interface Dependencies extends MailPreparation {
  readonly unitOfWork: UnitOfWork<MailingRepositories>;
  readonly mailer: Mailer;
}

/**
 * Delivers the next mail of the outbox, at least once. No transaction is open during delivery: a lease keeps other
 * instances away, and expires after a crash.
 */
export const deliverNextMail =
  (dependencies: Dependencies): DeliverNextMail =>
  () =>
    dependencies.unitOfWork
      .run(({ outbox }) => outbox.claim(leaseSeconds))
      .andThen((queued) =>
        queued === undefined
          ? okAsync('nothing due' as const)
          : handleQueued(dependencies, queued).map(() => 'done' as const),
      );

const handleQueued = (dependencies: Dependencies, queued: QueuedMail): ResultAsync<void, MailNotAccepted> => {
  const { id, mail, attempts, queuedAt } = queued;
  const tryLater = (refused: MailNotAccepted) => postpone(dependencies, queued).andThen(() => errAsync(refused));
  switch (mail.kind) {
    case 'unreadable':
      return tryLater(mailNotAccepted('the queued mail cannot be decrypted'));
    case 'request':
      return dependencies.unitOfWork.run((repositories) =>
        (attempts > maxAttempts ? okAsync() : prepareMail(repositories, dependencies, mail)).andThen(() =>
          repositories.outbox.markSent(id),
        ),
      );
    default:
      return dependencies.mailer
        .send(mail, queuedAt)
        .andThen(() => dependencies.unitOfWork.run(({ outbox }) => outbox.markSent(id)))
        .orElse(tryLater);
  }
};

/** Schedules a retry, or gives up after the last attempt. */
const postpone = ({ unitOfWork }: Dependencies, { id, attempts }: QueuedMail): ResultAsync<void, never> =>
  unitOfWork.run(({ outbox }) =>
    attempts < maxAttempts ? outbox.retryLater(id, retryDelaySeconds(attempts)) : outbox.giveUp(id),
  );

/** Seconds until the next attempt: doubling from 10 seconds, at most an hour. */
export const retryDelaySeconds = (attempts: number): number =>
  Math.min(firstDelaySeconds * 2 ** (attempts - 1), maxDelaySeconds);
