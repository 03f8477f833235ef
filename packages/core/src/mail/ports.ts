import type { ResultAsync } from 'neverthrow';
import type { Mail, MailRequest, UnreadableMail } from './mail.ts';

/** The receiving side did not take the mail; `reason` is for the log and names no secret. */
export const mailNotAccepted = (reason: string) => ({ type: 'MailNotAccepted', reason }) as const;
export type MailNotAccepted = ReturnType<typeof mailNotAccepted>;

/** Hands a mail to the outside world. */
export interface Mailer {
  send(mail: Mail): ResultAsync<void, MailNotAccepted>;
}

export interface QueuedMail {
  readonly id: string;
  readonly mail: Mail | MailRequest | UnreadableMail;
  /** Deliveries begun so far, this one included. */
  readonly attempts: number;
}

/** Mails that belong to committed changes and wait for delivery. Contents are encrypted at rest and wiped when done. */
export interface Outbox {
  add(mail: Mail | MailRequest): ResultAsync<void, never>;
  /** Takes the next due mail; nobody else gets it for `leaseSeconds`, and everybody may afterwards. */
  claim(leaseSeconds: number): ResultAsync<QueuedMail | undefined, never>;
  markSent(id: string): ResultAsync<void, never>;
  retryLater(id: string, delaySeconds: number): ResultAsync<void, never>;
  /** Ends all tries; the content is wiped. */
  giveUp(id: string): ResultAsync<void, never>;
}
