import type { ResultAsync } from 'neverthrow';
import type { UserId } from '../shared/ids.ts';
import type { Mail, MailRequest, Notice, UnreadableMail } from './mail.ts';

/** The mail server did not accept the mail; `reason` is for the log and contains no secrets. */
export const mailNotAccepted = (reason: string) => ({ type: 'MailNotAccepted', reason }) as const;
export type MailNotAccepted = ReturnType<typeof mailNotAccepted>;

/** Sends mails. */
export interface Mailer {
  /** `queuedAt`: when the event happened that the mail is about. */
  send(mail: Mail, queuedAt: Date): ResultAsync<void, MailNotAccepted>;
}

/** A mail that a worker has claimed. */
export interface QueuedMail {
  readonly id: string;
  readonly mail: Mail | MailRequest | UnreadableMail;
  /** Deliveries attempted so far, including this one. */
  readonly attempts: number;
  readonly queuedAt: Date;
}

/** Mails of committed changes, waiting for delivery. Contents are encrypted at rest and wiped afterwards. */
export interface Outbox {
  add(mail: Mail | MailRequest): ResultAsync<void, never>;
  /**
   * Makes other units that notify the user wait; resolves to the number of notices of the kind in the last `seconds`.
   */
  lockNoticeCount(user: UserId, notice: Notice, seconds: number): ResultAsync<number, never>;
  /**
   * Claims the next due mail: by `mailPriority`, then longest overdue first. No other worker gets it for
   * `leaseSeconds`; after that, any worker may.
   */
  claim(leaseSeconds: number): ResultAsync<QueuedMail | undefined, never>;
  markSent(id: string): ResultAsync<void, never>;
  retryLater(id: string, delaySeconds: number): ResultAsync<void, never>;
  /** Stops retrying; the content is wiped. */
  giveUp(id: string): ResultAsync<void, never>;
}
