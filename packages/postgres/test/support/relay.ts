import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A stable address for a database server that may stop, hang and move. */
export interface Relay {
  /** The server's URL through the relay. */
  readonly url: string;
  /** Routes new connections to this server. */
  leadTo(url: string): void;
  /** Blocks all traffic, on old and new connections, until `resume`. */
  hang(): void;
  resume(): void;
  /** Blocks traffic on current connections, as when a network path fails. */
  strand(): void;
  close(): Promise<void>;
}

/** Starts a relay for the server at `url`. */
export async function openRelay(url: string): Promise<Relay> {
  let target = new URL(url);
  let hanging = false;
  const sockets = new Set<Socket>();
  const stranded: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    join(client, upstream);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      if (hanging) socket.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    leadTo: (next) => {
      target = new URL(next);
    },
    hang: () => {
      hanging = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      hanging = false;
      for (const socket of sockets) socket.resume();
    },
    strand: () => {
      for (const socket of sockets) socket.pause();
      stranded.push(...sockets);
      sockets.clear();
    },
    close: async () => {
      for (const socket of [...sockets, ...stranded]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Forwards both directions; closing one side closes the other. */
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}
