import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export type Close = () => Promise<void>;

export interface Arrived {
  readonly recipients: readonly string[];
  readonly content: Buffer;
}

export interface ReceivingOptions extends SMTPServerOptions {
  /** The response to a complete mail; undefined accepts it. */
  readonly answer?: () => Promise<Error | undefined>;
}

/** An SMTP server on loopback, unencrypted by default, and the mails it received. */
export async function receivingServer({ answer = async () => undefined, ...options }: ReceivingOptions) {
  const arrived: Arrived[] = [];
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession, done: (error?: Error) => void) => {
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    arrived.push({ recipients, content: await buffer(stream) });
    done(await answer());
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData: (stream, session, done) => void take(stream, session, done),
    ...options,
  });
  // Some tests are about clients that disconnect.
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close: Close = () => new Promise((resolve) => server.close(() => resolve()));
  return { arrived, port: portOf(server.server), close };
}

/** A server that handles each connection with `talk`. */
export async function talkingServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close: Close = async () => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
  };
  return { port: portOf(server), close };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return address.port;
}
