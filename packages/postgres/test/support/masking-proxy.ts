import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** What begins the message in which the server says which process serves a connection: its kind and its length. */
const backendKeyData = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Makes up the process ids of connections to the server at `url`, as poolers do; everything else passes as it is. */
export async function openMaskingProxy(url: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const target = new URL(url);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf(backendKeyData);
      if (at !== -1) chunk.writeInt32BE(1, at + backendKeyData.length);
      client.write(chunk);
    });
    upstream.on('close', () => client.destroy()).on('error', () => client.destroy());
    client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: own.href, close: async () => void (await once(server.close(), 'close')) };
}
