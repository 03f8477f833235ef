import type { AddressInfo, Server } from 'node:net';
import { StartFailure } from './start-failure.ts';

/** Where to listen, and the variables that say so. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: 'PORT' | 'PRIVATE_PORT';
}

/** Listens, and resolves to the port. Rejects with a `StartFailure` that names the variable to change. */
export const listen = (server: Server, { host, port, variable }: ListenAddress): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, { host, port, variable })));
    // A server that listens on a port has such an address.
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  });

/** A failure to listen, as a line for the operator. */
export function listenFailure(error: NodeJS.ErrnoException, { host, port, variable }: ListenAddress): StartFailure {
  const problem = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code ?? error.message})`;
  return new StartFailure(`${variable}: ${port} on ${host} ${problem}`);
}
