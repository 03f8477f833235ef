import {
  Email,
  type InvitationSubject,
  type Mail,
  MailedToken,
  type NoticeMail,
  notices,
  OrganizationName,
  UserId,
} from '@zonewright/core';
import type { MailLinks, MailOperator } from '../src/messages.ts';

export const token = MailedToken.parse('q1u4mZ3m3v0b1m8o5oG7mXw2b6r0Yw8Q3l5Jc2x9d8E');
export const to = Email.parse('Ada+test@example.test');
/** When the reported events happened. */
export const at = new Date('2026-03-01T12:34:56.789Z');
export const from: MailOperator = { name: 'Example Hosting', address: 'no-reply@example.test' };

export const links: MailLinks = {
  confirmEmail: (token) => `https://panel.example.test/confirm-email#token=${token}`,
  undoEmail: (token) => `https://panel.example.test/undo-email#token=${token}`,
  verifyEmail: (token) => `https://panel.example.test/verify-email?lang=en&source=mail#token=${token}`,
  resetPassword: (token) => `https://panel.example.test/reset-password#token=${token}`,
  acceptInvitation: (token) => `https://panel.example.test/accept-invitation#token=${token}`,
};

/** The subject of an invitation with these names. */
export const anInvitation = (organization = 'Analytical Engines', inviter = 'Ada Lovelace'): InvitationSubject => ({
  organization: OrganizationName.parse(organization),
  role: 'editor',
  inviter,
});

/** Mails with a link, one of each kind. */
export const linkMails: readonly { readonly name: string; readonly mail: Mail; readonly link: string }[] = [
  { name: 'verify-email', mail: { kind: 'verify-email', to, token }, link: links.verifyEmail(token) },
  { name: 'reset-password', mail: { kind: 'reset-password', to, token }, link: links.resetPassword(token) },
  { name: 'confirm-email', mail: { kind: 'confirm-email', to, token }, link: links.confirmEmail(token) },
  { name: 'undo-email', mail: { kind: 'undo-email', to, token }, link: links.undoEmail(token) },
  { name: 'account-created', mail: { kind: 'account-created', to, token }, link: links.resetPassword(token) },
  {
    name: 'invitation',
    mail: { kind: 'invitation', to, token, about: anInvitation() },
    link: links.acceptInvitation(token),
  },
];

/** A notice of an event that did not come over a network. */
export const aNotice = (given: Partial<NoticeMail> = {}): NoticeMail => ({
  kind: 'notice',
  to,
  user: UserId.parse('01900000-0000-7000-8000-000000000001'),
  notice: 'password-changed',
  isLastForNow: false,
  ...given,
});

/** Mails without a link, one for each notice. */
export const noticeMails: readonly { readonly name: string; readonly mail: NoticeMail; readonly link?: never }[] =
  notices.map((notice) => ({ name: `notice ${notice}`, mail: aNotice({ notice }) }));

/** All mails, with their link if any. */
export const mails = [...linkMails, ...noticeMails];

export const aMail: Mail = { kind: 'verify-email', to, token };

/** Line breaks are sent as CRLF, and a part may gain one at the end. */
export const asWritten = (part: string | undefined): string | undefined => part?.replaceAll('\r\n', '\n').trimEnd();
