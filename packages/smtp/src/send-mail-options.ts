import type { Mail } from '@zonewright/core';
import type { SendMailOptions } from 'nodemailer';
import type { MailOperator, Message } from './messages.ts';

/** A message in the mail library's format. */
export const sendMailOptions = (
  mail: Mail,
  { subject, text, html }: Message,
  { name, address }: MailOperator,
): SendMailOptions => ({
  from: { name, address },
  // An object, because a string would be parsed as a list of addresses.
  to: { name: '', address: mail.to },
  subject,
  text,
  html,
  // Suppresses automatic replies (RFC 3834 section 5).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
