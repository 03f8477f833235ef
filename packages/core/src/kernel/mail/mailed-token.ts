import { z } from 'zod';

/** What a mailed token authorizes. */
export type MailedTokenPurpose = 'verify-email' | 'reset-password';

/** How long the token in each kind of mail is valid, in seconds. People read a mail they have not asked for later. */
export const mailedTokenLifetimeSeconds: Readonly<Record<MailedTokenPurpose | 'account-created', number>> = {
  'verify-email': 24 * 60 * 60,
  'reset-password': 60 * 60,
  'account-created': 24 * 60 * 60,
};

/** A mailed token: 32 random bytes in base64url. */
export const MailedToken = z.string().min(1).max(256).brand<'MailedToken'>();
export type MailedToken = z.infer<typeof MailedToken>;
