import { join } from 'node:path';
import type { Config } from '@zonewright/configuration';
import type { Mailer } from '@zonewright/core';
import { fileMailer, type MailLinks, smtpMailer } from '@zonewright/smtp';

/** A mailer with connections that stay open between mails. */
export interface ClosableMailer extends Mailer {
  close(): Promise<void>;
}

/** Where mails go: to the SMTP server of the configuration, or to files and the console. */
export function openMailer({ smtpUrl, mailFrom, environment, dataDir, ...config }: Config): ClosableMailer {
  const from = mailFrom.name === '' ? mailFrom.address : `"${mailFrom.name}" <${mailFrom.address}>`;
  const links = linksOf(config);
  if (smtpUrl !== undefined) return smtpMailer({ url: smtpUrl, from, links, requireTls: environment === 'production' });
  const print = (text: string) => process.stdout.write(`${text}\n`);
  return { ...fileMailer({ directory: join(dataDir, 'mails'), from, links, print }), close: async () => {} };
}

/** The token goes into the fragment: it reaches the page, but no server log and no referrer. */
const linksOf = ({
  verifyEmailUrl,
  resetPasswordUrl,
  acceptInvitationUrl,
}: Pick<Config, 'verifyEmailUrl' | 'resetPasswordUrl' | 'acceptInvitationUrl'>): MailLinks => ({
  verifyEmail: (token) => `${verifyEmailUrl}#token=${token}`,
  resetPassword: (token) => `${resetPasswordUrl}#token=${token}`,
  acceptInvitation: (token) => `${acceptInvitationUrl}#token=${token}`,
});
