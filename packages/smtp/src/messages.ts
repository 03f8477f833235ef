import type { Mail } from '@zonewright/core';
import type { Content } from './content.ts';
import { domainLapsing, hostNamesLost } from './domain-contents.ts';
import { accountCreated, confirmEmail, invitation, resetPassword, undoEmail, verifyEmail } from './link-contents.ts';
import { noticeContent } from './notice-contents.ts';

/** Builds the URLs that mails link to; tokens go into the fragment, which is never sent to servers. */
export interface MailLinks {
  readonly verifyEmail: (token: string) => string;
  readonly resetPassword: (token: string) => string;
  readonly confirmEmail: (token: string) => string;
  readonly undoEmail: (token: string) => string;
  readonly acceptInvitation: (token: string) => string;
}

/** A complete mail. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  /** A self-contained document that loads nothing. */
  readonly html: string;
  /** The URL in both parts, if any. It contains a secret. */
  readonly link?: string;
}

/** Whose mails they are, as the mails say it. */
export interface MailOperator {
  /** The name of the service, as its users know it. */
  readonly name: string;
  /** The address that the mails come from. */
  readonly address: string;
}

/**
 * The text of a mail. It contains nothing that users typed, except the names in invitations: otherwise, anyone who can
 * choose a name could have us send their words to strangers. `queuedAt`: when the event in a notice happened.
 */
export function messageFor(mail: Mail, links: MailLinks, operator: MailOperator, queuedAt: Date): Message {
  const content = named(operator, contentOf(mail, links, queuedAt));
  const { subject, link } = content;
  return { subject, text: textOf(content), html: htmlOf(content), ...(link === undefined ? {} : { link }) };
}

/** The content with the name of the service, and signed by it. */
function named({ name, address }: MailOperator, { subject, before, after, link }: Content): Content {
  const fill = (text: string) => text.replaceAll('{service}', name);
  return {
    subject: fill(subject),
    before: ['Hello,', ...before.map(fill)],
    after: [...after.map(fill), `${name} (${address})`],
    ...(link === undefined ? {} : { link }),
  };
}

function contentOf(mail: Mail, links: MailLinks, queuedAt: Date): Content {
  switch (mail.kind) {
    case 'verify-email':
      return verifyEmail(links.verifyEmail(mail.token));
    case 'reset-password':
      return resetPassword(links.resetPassword(mail.token));
    case 'account-created':
      return accountCreated(links.resetPassword(mail.token));
    case 'confirm-email':
      return confirmEmail(links.confirmEmail(mail.token));
    case 'undo-email':
      return undoEmail(links.undoEmail(mail.token));
    case 'invitation':
      return invitation(links.acceptInvitation(mail.token), mail.about);
    case 'domain-lapsing':
      return domainLapsing(mail);
    case 'host-names-lost':
      return hostNamesLost(mail);
    case 'notice':
      return noticeContent(mail, queuedAt);
  }
}

const textOf = ({ before, link, after }: Content): string => [...before, ...present(link), ...after].join('\n\n');

function htmlOf({ subject, before, link, after }: Content): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body>',
    ...before.map(paragraph),
    ...present(link).map(linkParagraph),
    ...after.map(paragraph),
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
