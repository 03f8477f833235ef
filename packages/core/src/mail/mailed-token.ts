import { z } from 'zod';

/** What a token that was sent by mail proves the right to do. */
export type MailedTokenPurpose = 'verify-email' | 'reset-password';

/** Seconds for which a mailed token can be redeemed. */
export const mailedTokenLifetimeSeconds: Readonly<Record<MailedTokenPurpose, number>> = {
  'verify-email': 24 * 60 * 60,
  'reset-password': 60 * 60,
};

/** A token from an e-mail: 32 random bytes in base64url. */
export const MailedToken = z.string().min(1).max(256).brand<'MailedToken'>();
export type MailedToken = z.infer<typeof MailedToken>;
