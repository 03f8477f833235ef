import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy for a database server that counts response bytes. */
export interface CountingLink {
  /** The server's URL through this proxy. */
  readonly url: string;
  /** Response bytes so far. */
  bytes(): number;
  close(): Promise<void>;
}

export async function openCountingLink(target: string): Promise<CountingLink> {
  const { hostname, port } = new URL(target);
  let bytes = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    upstream.on('data', (chunk) => {
      bytes += chunk.length;
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    bytes: () => bytes,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
