import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isBelowRate, readingStretch, type Stretch } from '@zonewright/gate';

/** The lowest rates at which clients may send and read. Times are in milliseconds. */
export interface SlownessLimits {
  /** Bytes per second, on average. */
  readonly lowestRate: number;
  /** How long a body may take before its rate counts. */
  readonly bodyGrace: number;
  /** How long a client may read more slowly. */
  readonly answerTimeout: number;
  /** Between checks. */
  readonly interval: number;
}

interface Connection {
  request: IncomingMessage | undefined;
  /** Undefined while no body is being read. */
  receiving: Stretch | undefined;
  /** Undefined while nothing is unsent. */
  sending: Stretch | undefined;
}

/**
 * Bounds how long a client can occupy memory with a body that it sends slowly (408) or a response that it reads slowly
 * (the connection is dropped): both must move at a lowest rate, on average.
 */
export function dropSlowConnections(server: Server, limits: SlownessLimits): void {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { request: undefined, receiving: undefined, sending: undefined });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage, _response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) Object.assign(connection, { request, receiving: undefined });
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      if (isReadTooSlowly(socket, connection, now, limits)) socket.destroy();
      else if (isSentTooSlowly(socket, connection, now, limits)) server.emit('clientError', tooSlow(), socket);
    }
  }, limits.interval).unref();
  server.once('close', () => clearInterval(timer));
}

/** The error of Node's own timeouts. */
const tooSlow = () =>
  Object.assign(new Error('The request body arrives too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

function isReadTooSlowly(
  socket: Socket,
  connection: Connection,
  now: number,
  { answerTimeout, lowestRate }: SlownessLimits,
): boolean {
  const rate = { bytesPerSecond: lowestRate, milliseconds: answerTimeout };
  const { stretch, isTooSlow } = readingStretch(socket, connection.sending, now, rate);
  connection.sending = stretch;
  return isTooSlow;
}

/** Before the service reads, the client is not slow. */
function isSentTooSlowly(
  socket: Socket,
  connection: Connection,
  now: number,
  { bodyGrace, lowestRate }: SlownessLimits,
): boolean {
  const { request, receiving } = connection;
  const isArriving = request?.complete === false && request.readableFlowing !== null;
  if (!isArriving) connection.receiving = undefined;
  else if (receiving === undefined) connection.receiving = { before: socket.bytesRead, since: now };
  else return now - receiving.since >= bodyGrace && isBelowRate(socket.bytesRead, receiving, now, lowestRate);
  return false;
}
