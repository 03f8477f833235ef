import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { attackedHost, type Scene } from './attack.ts';

/** Addresses of clients in so many networks: what is counted by network must not be all that protects. */
const networks = 32;
const addressOf = (index: number): string => `127.${10 + (index % networks)}.0.1`;

/** What a client asks. */
type Asked = Omit<RequestOptions, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** The status once the whole answer has come; 0 if none does. */
const ask = (scene: Scene, options: Asked): Promise<number> =>
  new Promise((resolve) => {
    request({ port: scene.edge, host: '127.0.0.1', ...options, headers: { Host: attackedHost, ...options.headers } })
      .on('response', (response: IncomingMessage) => {
        response
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', () => resolve(0))
          .resume();
      })
      .on('error', () => resolve(0))
      .end();
  });

/** Asks one request after another over so many connections, each from a network of its own. */
export async function askAgainAndAgain(
  scene: Scene,
  signal: AbortSignal,
  connections: number,
  next: (number: number) => Asked,
): Promise<void> {
  let number = 0;
  const client = async (index: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!signal.aborted) {
      const status = await ask(scene, { agent, localAddress: addressOf(index), ...next((number += 1)) });
      if (status === 0) await pause(5);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => client(index)));
}

/** Keeps so many connections open; each that ends is replaced. */
export async function keepConnections(
  scene: Scene,
  signal: AbortSignal,
  connections: number,
  begin: (socket: Socket, index: number) => void,
): Promise<void> {
  const client = async (index: number): Promise<void> => {
    while (!signal.aborted) {
      const socket = connect({ port: scene.edge, host: '127.0.0.1', localAddress: addressOf(index) });
      socket.on('error', () => undefined);
      socket.once('connect', () => begin(socket, index));
      await Promise.race([once(socket, 'close'), once(signal, 'abort')]);
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => client(index)));
}

/** The text of a request to the attacked zone. */
export const head = (line: string, ...fields: readonly string[]): string =>
  [line, `Host: ${attackedHost}`, ...fields, '', ''].join('\r\n');
