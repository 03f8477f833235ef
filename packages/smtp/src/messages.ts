import { type Mail, type MailedTokenPurpose, mailedTokenLifetimeSeconds } from '@zonewright/core';

/** Builds the addresses that mails lead to; the token belongs into the fragment, which no server sees. */
export interface MailLinks {
  readonly verifyEmail: (token: string) => string;
  readonly resetPassword: (token: string) => string;
}

/** A mail as its reader sees it. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  /** A whole document that loads nothing from elsewhere. */
  readonly html: string;
  /** The address both parts lead to. It carries a secret. */
  readonly link: string;
}

interface Content {
  readonly subject: string;
  /** Why the mail was sent and what the link is for; plain text, as the paragraphs below. */
  readonly before: readonly string[];
  readonly link: string;
  readonly after: readonly string[];
}

/**
 * The text of a mail. Nothing in it was typed by a user: who can choose a name must not be able to write to strangers
 * in our words. Subjects never vary.
 */
export function messageFor(mail: Mail, links: MailLinks): Message {
  const content = contentOf(mail, links);
  return { subject: content.subject, text: textOf(content), html: htmlOf(content), link: content.link };
}

function contentOf(mail: Mail, links: MailLinks): Content {
  switch (mail.kind) {
    case 'verify-email':
      return {
        subject: 'Confirm your e-mail address for Zonewright',
        before: [
          'Somebody, probably you, created a Zonewright account with this e-mail address.',
          'To confirm that the address is yours, open this link:',
        ],
        link: links.verifyEmail(mail.token),
        after: [
          `The link works once, for ${lifetimeOf(mail.kind)}. After that you can ask for a new one.`,
          'If it was not you, please ignore this mail: without the confirmation nobody can sign in to the account.',
        ],
      };
    case 'reset-password':
      return {
        subject: 'Choose a new password for Zonewright',
        before: [
          'Somebody, probably you, asked to reset the password of the Zonewright account with this e-mail address.',
          'To choose a new password, open this link:',
        ],
        link: links.resetPassword(mail.token),
        after: [
          `The link works once, for ${lifetimeOf(mail.kind)}. A new password signs you out everywhere.`,
          'If it was not you, please ignore this mail: your password stays as it is.',
        ],
      };
  }
}

/** Whole hours where there are several, minutes otherwise. */
function lifetimeOf(purpose: MailedTokenPurpose): string {
  const minutes = mailedTokenLifetimeSeconds[purpose] / 60;
  return minutes > 60 && minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

const greeting = 'Hello,';
const signature = 'Zonewright';

const textOf = ({ before, link, after }: Content): string =>
  [greeting, ...before, link, ...after, signature].join('\n\n');

function htmlOf({ subject, before, link, after }: Content): string {
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`;
  const address = escaped(link);
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body>',
    ...[greeting, ...before].map(paragraph),
    `<p><a href="${address}" style="overflow-wrap: anywhere">${address}</a></p>`,
    ...[...after, signature].map(paragraph),
    '</body>',
    '</html>',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
