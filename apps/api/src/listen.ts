import type { Server } from 'node:http';
import { StartMistake } from './config.ts';

/** Listens, or rejects with a `StartMistake` that names the variable at fault. */
export const listen = (
  server: Server,
  { host, port, variable }: { readonly host: string; readonly port: number; readonly variable: string },
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) => {
      const reason = failure.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${failure.code})`;
      reject(new StartMistake([`${variable}: ${port} on ${host} ${reason}`], { cause: failure }));
    });
    server.listen(port, host, resolve);
  });
