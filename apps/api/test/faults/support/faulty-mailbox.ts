import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** States of a mail server: `silent` accepts connections without responding, `refusing` rejects all recipients. */
export const mailServerFaults = ['down', 'silent', 'refusing'] as const;
export type MailServerState = (typeof mailServerFaults)[number] | 'working';

/** A mail as the server received it. */
export interface Delivery {
  readonly to: string;
  /** Header and body. */
  readonly source: string;
}

/** A real SMTP server on the loopback interface, at a fixed address, whose state tests can change. */
export interface FaultyMailbox {
  /** `smtp://` URL. */
  readonly url: string;
  /** Acknowledged mails. */
  readonly accepted: readonly Delivery[];
  /** Mails that were received completely but not acknowledged. */
  readonly unacknowledged: readonly Delivery[];
  /** Closes all connections, as a server restart does. */
  become(state: MailServerState): Promise<void>;
  /** Awaited before each acknowledgement. */
  acknowledgeAfter(gate: () => Promise<unknown>): void;
  close(): Promise<void>;
}

export async function openFaultyMailbox(): Promise<FaultyMailbox> {
  let state: MailServerState = 'working';
  let gate: () => Promise<unknown> = () => Promise.resolve();
  const accepted: Delivery[] = [];
  const unacknowledged: Delivery[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) =>
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onRcptTo: (_address, _session, done) =>
      done(state === 'refusing' ? Object.assign(new Error('not today'), { responseCode: 451 }) : undefined),
    onData: (stream, { envelope }, acknowledge) => {
      const take = async () => {
        const delivery = { to: envelope.rcptTo[0]?.address ?? '', source: await text(stream) };
        unacknowledged.push(delivery);
        await gate();
        unacknowledged.splice(unacknowledged.indexOf(delivery), 1);
        accepted.push(delivery);
        acknowledge();
      };
      take().catch(acknowledge);
    },
  });
  // Clients may disconnect early.
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: innerPort } = server.server.address() as AddressInfo;
  const front = createServer((client) => {
    keep(client);
    if (state === 'silent') return;
    const inner = connect(innerPort, '127.0.0.1');
    keep(inner);
    client.pipe(inner).pipe(client);
    client.on('close', () => inner.destroy());
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const { port } = front.address() as AddressInfo;
  const hangUp = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    unacknowledged,
    become: async (next) => {
      state = next;
      const closed = next === 'down' && front.listening ? once(front.close(), 'close') : undefined;
      hangUp();
      await closed;
      if (next !== 'down' && !front.listening) await once(front.listen(port, '127.0.0.1'), 'listening');
    },
    acknowledgeAfter: (next) => {
      gate = next;
    },
    close: async () => {
      hangUp();
      if (front.listening) front.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The token in the fragment of a mail's link. */
export const tokenOf = ({ source }: Delivery): string | undefined =>
  // Long lines contain soft line breaks (RFC 2045 section 6.7).
  /#token=(?:3D)?([A-Za-z0-9_-]+)/.exec(source.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1];
