import type { ResultAsync } from 'neverthrow';
import type { UserId } from '../shared/ids.ts';
import type { Mail, MailRequest, Notice, UnreadableMail } from './mail.ts';

/** The receiving side did not take the mail; `reason` is for the log and names no secret. */
export const mailNotAccepted = (reason: string) => ({ type: 'MailNotAccepted', reason }) as const;
export type MailNotAccepted = ReturnType<typeof mailNotAccepted>;

/** Hands a mail to the outside world. */
export interface Mailer {
  /** `queuedAt`: when the event that the mail is about took place. */
  send(mail: Mail, queuedAt: Date): ResultAsync<void, MailNotAccepted>;
}

/** A mail that a worker has claimed, to be sent, retried or given up. */
export interface QueuedMail {
  readonly id: string;
  readonly mail: Mail | MailRequest | UnreadableMail;
  /** Deliveries begun so far, this one included. */
  readonly attempts: number;
  readonly queuedAt: Date;
}

/** Mails that belong to committed changes and wait for delivery. Contents are encrypted at rest and wiped when done. */
export interface Outbox {
  add(mail: Mail | MailRequest): ResultAsync<void, never>;
  /** Makes other units that notify the user wait; resolves to the notices of the kind added in the last so many seconds. */
  lockNoticeCount(user: UserId, notice: Notice, seconds: number): ResultAsync<number, never>;
  /**
   * Takes the due mail that goes first: by `mailPriority`, then the one due for the longest time. No other worker gets
   * it for `leaseSeconds`, and everybody may afterwards.
   */
  claim(leaseSeconds: number): ResultAsync<QueuedMail | undefined, never>;
  markSent(id: string): ResultAsync<void, never>;
  retryLater(id: string, delaySeconds: number): ResultAsync<void, never>;
  /** Ends all tries; the content is wiped. */
  giveUp(id: string): ResultAsync<void, never>;
}
