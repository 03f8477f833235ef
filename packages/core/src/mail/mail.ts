import type { Email, EmailKey } from '../accounts/email.ts';
import type { MailedToken } from '../accounts/mailed-token.ts';

/** Something about the security of an account that its owner should learn even if somebody else did it. */
export const notices = [
  'password-changed',
  'two-factor-enabled',
  'two-factor-disabled',
  'recovery-codes-replaced',
  'recovery-code-used',
  'sessions-ended-after-reuse',
] as const;
export type Notice = (typeof notices)[number];

/**
 * A mail the service sends. It carries what the text needs and nothing a user typed except the recipient's address,
 * which is the stored one.
 */
export type Mail =
  | { readonly kind: 'verify-email'; readonly to: Email; readonly token: MailedToken }
  | { readonly kind: 'reset-password'; readonly to: Email; readonly token: MailedToken }
  | { readonly kind: 'invitation'; readonly to: Email; readonly token: MailedToken }
  | { readonly kind: 'notice'; readonly to: Email; readonly notice: Notice };

/** A queued mail whose content cannot be decrypted at this moment: its key may be missing for a while. */
export interface UnreadableMail {
  readonly kind: 'unreadable';
}

/**
 * A mail somebody asked for by naming an address. Whether there is an account to write to is found out later, by
 * whoever delivers mails: the one who asks sees no difference.
 */
export interface MailRequest {
  readonly kind: 'request';
  readonly purpose: 'verify-email' | 'reset-password';
  readonly email: EmailKey;
}
