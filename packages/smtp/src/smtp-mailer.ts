import { type Mailer, mailNotAccepted } from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import type { Transporter } from 'nodemailer';
import { type MailLinks, type MailOperator, messageFor } from './messages.ts';
import { sendMailOptions } from './send-mail-options.ts';
import { smtpAddress } from './smtp-address.ts';
import { reasonOf } from './smtp-failure.ts';

const connections = 3;

/** Timeouts in seconds. */
export interface SmtpTimeouts {
  readonly dns: number;
  readonly connect: number;
  readonly greeting: number;
  /** Inactivity on an open connection. */
  readonly socket: number;
  /**
   * The whole delivery, including the wait for a free connection. Far below the minute for which a queued mail is
   * leased, so that a slow server does not cause another instance to send the mail again.
   */
  readonly delivery: number;
}

const defaultTimeouts: SmtpTimeouts = { dns: 5, connect: 5, greeting: 5, socket: 10, delivery: 30 };

/** The mail server and the sender. */
export interface SmtpSettings {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  readonly url: string;
  /** The sender; its name is that of the service in the mails. */
  readonly from: MailOperator;
  readonly links: MailLinks;
  /** Requires TLS with a valid certificate. */
  readonly requireTls: boolean;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

/** A mailer that holds connections. */
export interface SmtpMailer extends Mailer {
  /** Accepts no further mails, and resolves when the current deliveries have ended. */
  close(): Promise<void>;
}

/** Sends mails to an SMTP server over a small pool of connections. */
export function smtpMailer({ url, from, links, requireTls, timeouts = {} }: SmtpSettings): SmtpMailer {
  const limits = { ...defaultTimeouts, ...timeouts };
  const settings = { ...transportTo(url, requireTls, limits), pool: true as const, maxConnections: connections };
  // The library is loaded with the first mail.
  let opened: Promise<Transporter> | undefined;
  const transport = () =>
    (opened ??= import('nodemailer').then(({ default: mailer }) => mailer.createTransport(settings)));
  const underWay = new Set<Promise<unknown>>();
  return {
    send(mail, queuedAt) {
      const signal = AbortSignal.timeout(limits.delivery * 1000);
      const message = { ...sendMailOptions(mail, messageFor(mail, links, from, queuedAt), from), signal };
      const sending = transport().then((to) => to.sendMail(message));
      const ended = sending.then(forget, forget);
      underWay.add(ended);
      function forget() {
        underWay.delete(ended);
      }
      return ResultAsync.fromPromise(sending, (cause) => mailNotAccepted(reasonOf(cause))).map(() => undefined);
    },
    async close() {
      (await opened)?.close();
      await Promise.all(underWay);
    },
  };
}

const transportTo = (url: string, requireTls: boolean, limits: SmtpTimeouts) => ({
  ...smtpAddress(url),
  requireTLS: requireTls,
  dnsTimeout: limits.dns * 1000,
  connectionTimeout: limits.connect * 1000,
  greetingTimeout: limits.greeting * 1000,
  socketTimeout: limits.socket * 1000,
});

/** Connects and signs in without sending anything; resolves to the problem, if there is one. */
export async function probeSmtp({
  url,
  requireTls,
}: Pick<SmtpSettings, 'url' | 'requireTls'>): Promise<string | undefined> {
  const { default: mailer } = await import('nodemailer');
  const transport = mailer.createTransport(transportTo(url, requireTls, defaultTimeouts));
  try {
    await transport.verify();
    return undefined;
  } catch (cause) {
    return reasonOf(cause);
  } finally {
    transport.close();
  }
}
