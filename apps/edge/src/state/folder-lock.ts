import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Locks a folder against other processes of this machine, and resolves to what releases it; undefined if one has it.
 * The lock is a socket that the system closes with the process, however that ends. Linux names it without a file;
 * elsewhere it is one in the temporary folder, which a crash leaves behind.
 */
export function lockFolder(path: string): Promise<(() => void) | undefined> {
  const { dev, ino } = statSync(path);
  const name = `zonewright-edge-${dev}-${ino}`;
  const socket = createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    socket.listen(process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`), () => {
      socket.unref();
      resolve(() => void socket.close());
    });
  });
}
