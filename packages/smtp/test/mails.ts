import { Email, type Mail, MailedToken } from '@zonewright/core';
import type { MailLinks } from '../src/messages.ts';

export const token = MailedToken.parse('q1u4mZ3m3v0b1m8o5oG7mXw2b6r0Yw8Q3l5Jc2x9d8E');
export const to = Email.parse('Ada+test@example.test');
export const from = 'Zonewright <no-reply@example.test>';

export const links: MailLinks = {
  verifyEmail: (token) => `https://panel.example.test/verify-email?lang=en&source=mail#token=${token}`,
  resetPassword: (token) => `https://panel.example.test/reset-password#token=${token}`,
};

/** One mail of every kind, and the link it has to carry. */
export const mails: readonly { readonly mail: Mail; readonly link: string }[] = [
  { mail: { kind: 'verify-email', to, token }, link: links.verifyEmail(token) },
  { mail: { kind: 'reset-password', to, token }, link: links.resetPassword(token) },
];

export const aMail: Mail = { kind: 'verify-email', to, token };

/** Line ends travel as CRLF, and a part may gain one at its end. */
export const asWritten = (part: string | undefined): string | undefined => part?.replaceAll('\r\n', '\n').trimEnd();
