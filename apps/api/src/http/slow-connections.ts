import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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

/** A stretch of time in which bytes should move. */
interface Stretch {
  /** Bytes moved before it. */
  readonly before: number;
  readonly since: number;
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

/** Looks at one stretch after another: what a client has read quickly before gives it no credit. */
function isReadTooSlowly(
  socket: Socket,
  connection: Connection,
  now: number,
  { answerTimeout, lowestRate }: SlownessLimits,
): boolean {
  const { unsent, sent } = progressOf(socket);
  const { sending } = connection;
  if (unsent === 0) connection.sending = undefined;
  else if (sending === undefined) connection.sending = { before: sent, since: now };
  else if (now - sending.since >= answerTimeout) {
    connection.sending = { before: sent, since: now };
    return isSlow(sent, sending, now, lowestRate);
  }
  return false;
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
  else return now - receiving.since >= bodyGrace && isSlow(socket.bytesRead, receiving, now, lowestRate);
  return false;
}

const isSlow = (moved: number, { before, since }: Stretch, now: number, lowestRate: number): boolean =>
  (moved - before) * 1000 < (now - since) * lowestRate;

/** Node's internal stream handle: it counts the bytes it was given, and those that the kernel has not accepted. */
interface Handle {
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
}

/** Bytes not sent yet, and sent ones. What the socket itself counts changes only when a whole write begins or ends. */
function progressOf(socket: Socket): { readonly unsent: number; readonly sent: number } {
  // Sockets do not declare the handle in their public type.
  const { _handle: handle } = socket as { readonly _handle?: Handle | null };
  const unsent = handle?.writeQueueSize ?? 0;
  return { unsent, sent: (handle?.bytesWritten ?? 0) - unsent };
}
