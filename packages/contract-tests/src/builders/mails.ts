import { type Mail, MailedToken, type NoticeMail } from '@zonewright/core';
import { anEmail, aUserId, unique } from './ids.ts';

/** A mail to a unique address. */
export const aMail = (): Exclude<Mail, { kind: 'notice' }> => ({
  kind: 'verify-email',
  to: anEmail(),
  token: MailedToken.parse(`token-${unique()}`),
});

/** A notice to someone who needs no account. */
export const aNotice = (given: Partial<NoticeMail> = {}): NoticeMail => ({
  kind: 'notice',
  to: anEmail(),
  user: aUserId(),
  notice: 'password-changed',
  isLastForNow: false,
  ...given,
});
