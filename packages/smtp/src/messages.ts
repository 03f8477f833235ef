import type { Mail } from '@zonewright/core';
import type { Content } from './content.ts';
import { accountCreated, invitation, resetPassword, verifyEmail } from './link-contents.ts';
import { noticeContent } from './notice-contents.ts';

/** Builds the addresses that mails lead to; the token belongs into the fragment, which no server sees. */
export interface MailLinks {
  readonly verifyEmail: (token: string) => string;
  readonly resetPassword: (token: string) => string;
  readonly acceptInvitation: (token: string) => string;
}

/** A mail as its reader sees it. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  /** A whole document that loads nothing from elsewhere. */
  readonly html: string;
  /** The address both parts lead to, if they lead anywhere. It carries a secret. */
  readonly link?: string;
}

/**
 * The text of a mail. Nothing in it was typed by a user: who can choose a name must not be able to write to strangers
 * in our words. Subjects never vary. `queuedAt`: when what a notice reports took place.
 */
export function messageFor(mail: Mail, links: MailLinks, queuedAt: Date): Message {
  const content = contentOf(mail, links, queuedAt);
  const { subject, link } = content;
  return { subject, text: textOf(content), html: htmlOf(content), ...(link === undefined ? {} : { link }) };
}

function contentOf(mail: Mail, links: MailLinks, queuedAt: Date): Content {
  switch (mail.kind) {
    case 'verify-email':
      return verifyEmail(links.verifyEmail(mail.token));
    case 'reset-password':
      return resetPassword(links.resetPassword(mail.token));
    case 'account-created':
      return accountCreated(links.resetPassword(mail.token));
    case 'invitation':
      return invitation(links.acceptInvitation(mail.token));
    case 'notice':
      return noticeContent(mail, queuedAt);
  }
}

const greeting = 'Hello,';
const signature = 'Zonewright';

const textOf = ({ before, link, after }: Content): string =>
  [greeting, ...before, ...present(link), ...after, signature].join('\n\n');

function htmlOf({ subject, before, link, after }: Content): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body>',
    ...[greeting, ...before].map(paragraph),
    ...present(link).map(linkParagraph),
    ...[...after, signature].map(paragraph),
    '</body>',
    '</html>',
  ].join('\n');
}

const present = (link: string | undefined): readonly string[] => (link === undefined ? [] : [link]);

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

function linkParagraph(link: string): string {
  const address = escaped(link);
  return `<p><a href="${address}" style="overflow-wrap: anywhere">${address}</a></p>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
