import { join } from 'node:path';
import type { Config, MailPages } from '@zonewright/configuration';
import type { Mailer } from '@zonewright/core';
import { fileMailer, type MailLinks, smtpMailer } from '@zonewright/smtp';

/** A mailer that keeps its connections open between mails. */
export interface ClosableMailer extends Mailer {
  close(): Promise<void>;
}

/** Sends mails to the configured SMTP server, or to files and the console. */
export function openMailer({ smtpUrl, mailFrom, environment, dataDir, ...config }: Config): ClosableMailer {
  const from = { ...mailFrom, name: mailFrom.name || 'Zonewright' };
  const links = linksOf(config);
  if (smtpUrl !== undefined) return smtpMailer({ url: smtpUrl, from, links, requireTls: environment === 'production' });
  const print = (text: string) => process.stdout.write(`${text}\n`);
  return { ...fileMailer({ directory: join(dataDir, 'mails'), from, links, print }), close: async () => {} };
}

/** The token is in the fragment: browsers send it to no server log and in no referrer. */
const linksOf = ({
  verifyEmailUrl,
  confirmEmailUrl,
  undoEmailUrl,
  resetPasswordUrl,
  acceptInvitationUrl,
}: MailPages): MailLinks => ({
  confirmEmail: (token) => `${confirmEmailUrl}#token=${token}`,
  undoEmail: (token) => `${undoEmailUrl}#token=${token}`,
  verifyEmail: (token) => `${verifyEmailUrl}#token=${token}`,
  resetPassword: (token) => `${resetPasswordUrl}#token=${token}`,
  acceptInvitation: (token) => `${acceptInvitationUrl}#token=${token}`,
});
