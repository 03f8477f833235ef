import type { Server } from 'node:http';
import { StartMistake } from './config/config.ts';

interface Place {
  readonly host: string;
  readonly port: number;
  /** The one that names the port. */
  readonly variable: string;
}

/** Listens, or rejects with a `StartMistake` that names the variable at fault. */
export const listen = (server: Server, { host, port, variable }: Place): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) => {
      reject(new StartMistake([lineOf(failure, { host, port, variable })], { cause: failure }));
    });
    server.listen(port, host, resolve);
  });

/** What is wrong when the address is none of this machine, whatever the port. */
const faultsOfHosts: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

function lineOf({ code, message }: NodeJS.ErrnoException, { host, port, variable }: Place): string {
  if (faultsOfHosts.has(code)) return `HOST: "${host}" cannot be listened on (${message})`;
  return `${variable}: ${port} on ${host} ${code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`}`;
}
