import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Start of the BackendKeyData message, which contains the process id: type and length. */
const backendKeyData = Buffer.from([0x4b, 0, 0, 0, 12]);

/** A proxy for the server at `url` that replaces process ids, as poolers do, and forwards everything else. */
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
