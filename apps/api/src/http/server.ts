import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { answerClientError, refuseUnreadable } from './client-error.ts';
import { isUnambiguous } from './framing.ts';
import { dropUnread } from './unread-answers.ts';

/** What a connection may take of the server before any code of ours runs. Times are milliseconds. */
export interface ServerLimits {
  readonly headersTimeout: number;
  /** For the whole request, its body included. */
  readonly requestTimeout: number;
  /** How long a connection may wait for its next request. */
  readonly keepAliveTimeout: number;
  /** How long a client may leave its answer lie without taking a byte of it. */
  readonly answerTimeout: number;
  /** How often the timeouts of requests and answers are checked: a client may take that much longer. */
  readonly connectionsCheckingInterval: number;
  /** Bytes of the request line and all header fields. */
  readonly maxHeaderSize: number;
  readonly maxRequestsPerSocket: number;
  /** Connections at one time; the next one is closed at once. */
  readonly maxConnections: number;
}

/** The limits of the service. */
export const serverLimits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  answerTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  maxHeaderSize: 16 * 1024,
  maxRequestsPerSocket: 1000,
  maxConnections: 4000,
};

interface ServerOptions {
  readonly limits?: ServerLimits;
  /** Whether the service is about to end: then an answer is the last one on its connection. */
  readonly isDraining?: () => boolean;
  /** The `Link` that every answer has, those to what is no request included. */
  readonly documentation: string;
}

/** Slow senders, clients that do not read, huge headers and endless connections end here. */
export function httpServer(
  app: Koa,
  {
    limits: { maxRequestsPerSocket, maxConnections, answerTimeout, ...limits } = serverLimits,
    isDraining = () => false,
    documentation,
  }: ServerOptions,
): Server {
  const handle = app.callback();
  /** The answer to the last request on each connection. */
  const latest = new WeakMap<Duplex, ServerResponse>();
  // `isUnambiguous` looks at `Host`: the answer of Node would be no problem document.
  const server = createServer({ ...limits, requireHostHeader: false }, (request, response) => {
    latest.set(request.socket, response);
    // On a connection that was busy when the shutdown began.
    if (isDraining()) response.setHeader('Connection', 'close');
    if (!isUnambiguous(request)) return refuseUnreadable(response, 400, documentation);
    // Koa answers every failure itself, so this promise never rejects.
    void handle(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, response);
    refuseUnreadable(response, 417, documentation);
  });
  server.on('clientError', (error, socket) =>
    answerClientError(error, socket, { latest: latest.get(socket), link: documentation }),
  );
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  limitConnections(server, maxConnections);
  dropUnread(server, { answerTimeout, interval: limits.connectionsCheckingInterval });
  return server;
}

/**
 * Closes connections beyond the limit at once. Where processes share a port, Node's own limit would have them hand such a
 * connection to each other without end.
 */
function limitConnections(server: Server, maxConnections: number): void {
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > maxConnections) socket.destroy();
  });
}
