import type { Server } from 'node:http';
import { StartupError } from './config.ts';

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: string;
}

/** Listens, or rejects with a `StartupError` that names the variable to fix. */
export const listen = (server: Server, address: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (failure) => reject(listenError(failure, address)));
    server.listen(address.port, address.host, resolve);
  });

/** Describes a failure to listen, and which variable to change. */
export const listenError = (failure: Error, address: ListenAddress): StartupError =>
  new StartupError([lineOf(failure, address)], { cause: failure });

/** Error codes for an address that this machine does not have, whatever the port. */
const faultsOfHosts: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

function lineOf({ code, message }: NodeJS.ErrnoException, { host, port, variable }: ListenAddress): string {
  if (faultsOfHosts.has(code))
    return `HOST: "${host}" is not an address of this machine (${message}); 127.0.0.1 is for this machine only, 0.0.0.0 for every network`;
  const address = `${variable}: ${port} on ${host}`;
  if (code === 'EADDRINUSE') return `${address} is in use; choose another one, such as ${variable}=${port + 1}`;
  return code === 'EACCES'
    ? `${address} is for root only; choose one above 1023, such as ${variable}=${port + 8000}, behind a reverse proxy`
    : `${address} cannot be used (${code})`;
}
