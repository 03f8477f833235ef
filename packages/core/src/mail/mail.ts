import type { Email } from '../accounts/email.ts';
import type { MailedToken } from '../accounts/mailed-token.ts';

/**
 * A mail the service sends. It carries what the text needs and nothing a user typed except the recipient's address,
 * which is the stored one.
 */
export type Mail =
  | { readonly kind: 'verify-email'; readonly to: Email; readonly token: MailedToken }
  | { readonly kind: 'reset-password'; readonly to: Email; readonly token: MailedToken };
