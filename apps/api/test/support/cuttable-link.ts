import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy for a server that can be cut and restored, simulating a server restart. */
export interface CuttableLink {
  /** The server's URL through this proxy. */
  readonly url: string;
  /** Drops all connections and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Lets nothing through, on connections that stay open, as of a server whose processes are stopped. */
  freeze(): void;
  thaw(): void;
}

export async function openCuttableLink(target: string): Promise<CuttableLink> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((incoming) => {
    const outgoing = keep(connect(Number(targetPort), hostname));
    keep(incoming).pipe(outgoing).pipe(incoming);
    if (isFrozen) [incoming, outgoing].forEach((socket) => socket.pause());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.href,
    cut: async () => {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: async () => {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
