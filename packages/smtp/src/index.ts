/** The public surface of the mail adapters: nothing else can be imported from outside. */
export { type FileMailSettings, fileMailer } from './file-mailer.ts';
export { type MailLinks, type MailOperator, type Message, messageFor } from './messages.ts';
export { probeSmtp, type SmtpMailer, type SmtpSettings, type SmtpTimeouts, smtpMailer } from './smtp-mailer.ts';
