import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mail, type Mailer, mailNotAccepted } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { type MailLinks, type MailOperator, type Message, messageFor } from './messages.ts';
import { sendMailOptions } from './send-mail-options.ts';

/** For development: mails are saved as files instead of being sent. */
export interface FileMailSettings {
  /** Where to save mails; created if missing. */
  readonly directory: string;
  /** The sender; its name is that of the service in the mails. */
  readonly from: MailOperator;
  readonly links: MailLinks;
  /** Prints lines to the console. */
  readonly print: (text: string) => void;
  readonly now?: () => Date;
}

/**
 * For development: saves every mail as an .eml file and prints its link, if any. Files and output contain valid tokens,
 * so do not use this in production.
 */
export function fileMailer({ directory, from, links, print, now = () => new Date() }: FileMailSettings): Mailer {
  const keep = async (mail: Mail, message: Message): Promise<void> => {
    // Loaded with the first mail.
    const { default: mailer } = await import('nodemailer');
    const composer = mailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message: eml } = await composer.sendMail(sendMailOptions(mail, message, from));
    const file = join(directory, fileName(mail, now()));
    await writeWhole(file, directory, eml);
    print(summary(mail, message, file));
  };
  return {
    send: (mail, queuedAt) =>
      ResultAsync.fromPromise(keep(mail, messageFor(mail, links, from, queuedAt)), (cause) =>
        mailNotAccepted(reasonOf(cause)),
      ),
  };
}

/** Sorts by time, and avoids characters that some file systems refuse. */
const fileName = ({ kind }: Mail, at: Date): string =>
  `${at.toISOString().replaceAll(':', '-')}-${kind}-${randomBytes(4).toString('hex')}.eml`;

/** Renames into place, so that anything watching the directory sees only complete mails. */
async function writeWhole(file: string, directory: string, content: Parameters<typeof writeFile>[1]): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.part`, content, { mode: 0o600, flag: 'wx' });
  await rename(`${file}.part`, file);
}

const summary = ({ to }: Mail, { subject, link }: Message, file: string): string =>
  [`Mail to ${to}: ${subject}`, ...(link === undefined ? [] : [`  link: ${link}`]), `  file: ${file}`].join('\n');

function reasonOf(cause: unknown): string {
  const { code }: NodeJS.ErrnoException = cause instanceof Error ? cause : new Error('unknown');
  return `file ${code ?? 'failure'}`;
}
