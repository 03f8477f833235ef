import type { UserId } from '../shared/ids.ts';
import type { Email, EmailKey } from './email.ts';
import type { MailedToken } from './mailed-token.ts';

/** Something about the security of an account that its owner should learn even if another person did it. */
export const notices = [
  'password-changed',
  'two-factor-enabled',
  'two-factor-disabled',
  'recovery-codes-replaced',
  'recovery-code-used',
  'sessions-ended-after-reuse',
  'second-factor-locked',
  'signed-in-from-new-network',
  'api-token-created',
] as const;
export type Notice = (typeof notices)[number];

/** A notice to the owner of an account, with what is known of the client that caused it. */
export interface NoticeMail {
  readonly kind: 'notice';
  readonly to: Email;
  readonly user: UserId;
  readonly notice: Notice;
  readonly network?: string;
  /** As the client sent it, so it must not get into the text of a mail unchecked. */
  readonly userAgent?: string;
  /** No more notices of this kind are sent for a while, whatever happens. */
  readonly isLastForNow: boolean;
}

/** A mail the service sends. It carries what the text needs; the recipient's address is the stored one. */
export type Mail =
  | { readonly kind: 'verify-email'; readonly to: Email; readonly token: MailedToken }
  | { readonly kind: 'reset-password'; readonly to: Email; readonly token: MailedToken }
  /** To a person whom the operator made an account for; it leads to where a password is chosen. */
  | { readonly kind: 'account-created'; readonly to: Email; readonly token: MailedToken }
  | { readonly kind: 'invitation'; readonly to: Email; readonly token: MailedToken }
  | NoticeMail;

/** A queued mail whose content cannot be decrypted at this moment: its key may be missing for a while. */
export interface UnreadableMail {
  readonly kind: 'unreadable';
}

/**
 * A mail that is requested for an address. Whether there is an account to write to is found out later, when it is
 * delivered: the one who asks sees no difference.
 */
export interface MailRequest {
  readonly kind: 'request';
  readonly purpose: 'verify-email' | 'reset-password';
  readonly email: EmailKey;
}

const priorities = {
  'verify-email': 0,
  'reset-password': 0,
  'account-created': 0,
  request: 0,
  notice: 1,
  invitation: 2,
} as const satisfies Record<(Mail | MailRequest)['kind'], number>;

/**
 * Which mails go first when many wait: the lowest number. Nobody can use an account without the mails that verify and
 * reset it, and their tokens expire; an invitation can wait.
 */
export const mailPriority = ({ kind }: Mail | MailRequest): number => priorities[kind];
