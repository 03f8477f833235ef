import type { Mail } from '@zonewright/core';
import type { SendMailOptions } from 'nodemailer';
import type { Message } from './messages.ts';

/** What the mail library needs to build and send a message. */
export const sendable = (mail: Mail, { subject, text, html }: Message, from: string): SendMailOptions => ({
  from,
  // An object, because a text would be parsed as a list of addresses.
  to: { name: '', address: mail.to },
  subject,
  text,
  html,
  // Asks for no automatic answers (RFC 3834 section 5).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
