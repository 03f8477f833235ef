import type { AddressInfo, Server } from 'node:net';
import { StartFailure } from './start-failure.ts';

/** Where to listen, and the variables that say so. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: 'PORT' | 'EDGE_TLS_PORT' | 'PRIVATE_PORT';
}

/** Listens, and resolves to the port. Rejects with a `StartFailure` that names the variable to change. */
export const listen = (server: Server, { host, port, variable }: ListenAddress): Promise<number> =>
  new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      reject(new StartFailure(`${variable}: ${port} on ${host} ${problemOf(error)}`));
    };
    server.once('error', fail);
    server.listen({ host, port }, () => {
      server.off('error', fail);
      // A server that listens on a port has such an address.
      resolve((server.address() as AddressInfo).port);
    });
  });

function problemOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'is in use';
  return code === 'EACCES'
    ? 'is for root only, or for a process with CAP_NET_BIND_SERVICE; choose one above 1023'
    : `cannot be used (${code ?? message})`;
}
