import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** A user's inbox. */
export interface Mailbox {
  /** `smtp://` URL of its server. */
  readonly url: string;
  /** The oldest unread mail to the address; waits until there is one. */
  nextMailTo(address: string): Promise<Email>;
  /** All recipients in order of arrival. */
  readonly recipients: readonly string[];
  close(): Promise<void>;
}

/** A real SMTP server on the loopback interface that accepts every mail. */
export async function openMailbox(): Promise<Mailbox> {
  const mails = new Waiting<Email>();
  const recipients: string[] = [];
  const take = async (stream: SMTPServerDataStream, { envelope }: SMTPServerSession, acknowledge: () => void) => {
    const mail = await PostalMime.parse(await buffer(stream));
    for (const { address } of envelope.rcptTo) {
      recipients.push(address);
      mails.put(address, mail);
    }
    acknowledge();
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData: (stream, session, acknowledge) => void take(stream, session, acknowledge).catch(acknowledge),
  });
  // A killed process disconnects in the middle of a mail; without a listener that would crash the test run.
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    nextMailTo: (address) => mails.take(address),
    recipients,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The token in the fragment of a mail's link. */
export function tokenIn({ text = '' }: Email): string {
  const [, token] = /#token=([A-Za-z0-9_-]+)/.exec(text) ?? [];
  if (token === undefined) throw new Error(`The mail has no token: ${text}`);
  return token;
}

/** Pairs of producers and consumers by name, in any order. */
class Waiting<T> {
  readonly #there = new Map<string, T[]>();
  readonly #wanted = new Map<string, ((thing: T) => void)[]>();

  put(name: string, thing: T): void {
    const taker = this.#wanted.get(name)?.shift();
    if (taker === undefined) this.#there.set(name, [...(this.#there.get(name) ?? []), thing]);
    else taker(thing);
  }

  take(name: string): Promise<T> {
    const thing = this.#there.get(name)?.shift();
    if (thing !== undefined) return Promise.resolve(thing);
    return new Promise((resolve) => this.#wanted.set(name, [...(this.#wanted.get(name) ?? []), resolve]));
  }
}
