import { createServer, type Server, type Socket } from 'node:net';
import { type ProxiedConnection, rememberProxied } from './client.ts';
import { proxyHeaderIn } from './proxy-header.ts';

const headerSeconds = 5;

/** What happens with connections. */
export interface ConnectionHandlers {
  /** Whether the peer of a connection may say who the client is. */
  readonly mayTell: (socket: Socket) => boolean;
  /** Reads what follows the header. */
  readonly next: (socket: Socket) => void;
  /** Told of each connection that is closed because it begins wrongly. */
  readonly refused: () => void;
}

/**
 * A listener whose connections must begin with a PROXY protocol header. One that begins with anything else, or with
 * nothing for 5 seconds, is closed, and so is one of a peer that may not send it.
 */
export const proxiedConnections = ({ mayTell, next, refused }: ConnectionHandlers): Server =>
  createServer({ noDelay: true }, (socket) => {
    let received = Buffer.alloc(0);
    const close = () => socket.destroy();
    const refuse = () => {
      close();
      refused();
    };
    socket.on('error', close);
    if (!mayTell(socket)) return refuse();
    const timer = setTimeout(refuse, headerSeconds * 1000);
    socket.once('close', () => clearTimeout(timer));
    const read = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const header = proxyHeaderIn(received);
      if (header === 'incomplete') return;
      socket.off('data', read);
      clearTimeout(timer);
      if (header === 'invalid') return refuse();
      socket.pause();
      socket.off('error', close);
      hand(socket, header.connection, received.subarray(header.bytes), next);
    };
    socket.on('data', read);
  });

function hand(socket: Socket, connection: ProxiedConnection, rest: Buffer, next: (socket: Socket) => void): void {
  rememberProxied(socket, connection);
  if (rest.length > 0) socket.unshift(rest);
  next(socket);
  socket.resume();
}
