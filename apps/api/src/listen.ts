import type { Server } from 'node:http';
import { StartupError } from '@zonewright/configuration';

interface Place {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: string;
}

/** Listens, or rejects with a `StartupError` that names the variable to fix. */
export const listen = (server: Server, place: Place): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (failure) => reject(listenError(failure, place)));
    server.listen(place.port, place.host, resolve);
  });

/** Describes a failure to listen, and which variable to change. */
export const listenError = (failure: Error, place: Place): StartupError =>
  new StartupError([lineOf(failure, place)], { cause: failure });

/** Error codes for an address that this machine does not have, whatever the port. */
const faultsOfHosts: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

function lineOf({ code, message }: NodeJS.ErrnoException, { host, port, variable }: Place): string {
  if (faultsOfHosts.has(code))
    return `HOST: "${host}" is not an address of this machine (${message}); 127.0.0.1 is for this machine only, 0.0.0.0 for every network`;
  const place = `${variable}: ${port} on ${host}`;
  return code === 'EADDRINUSE'
    ? `${place} is in use; choose another one, such as ${variable}=${port + 1}`
    : `${place} cannot be used (${code})`;
}
