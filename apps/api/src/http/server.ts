import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { answerClientError, refuseUnreadable } from './client-error.ts';
import { dropSlowConnections } from './slow-connections.ts';

/** Limits on connections, enforced before any application code runs. Times are in milliseconds. */
export interface ServerLimits {
  readonly headersTimeout: number;
  /** For the whole request, body included. */
  readonly requestTimeout: number;
  /** How long an idle connection stays open for the next request. */
  readonly keepAliveTimeout: number;
  /** How long a client may read its response more slowly than the lowest rate. */
  readonly answerTimeout: number;
  /** How long a body may take before it must arrive at the lowest rate. */
  readonly bodyGrace: number;
  /** Bytes per second at which bodies must arrive and responses be read, on average. */
  readonly lowestRate: number;
  /** How often request and response timeouts are checked: a client may overrun them by this much. */
  readonly connectionsCheckingInterval: number;
  /** Bytes of the request line and all header fields. */
  readonly maxHeaderSize: number;
  readonly maxRequestsPerSocket: number;
  /** Maximum open connections; further ones are closed at once. */
  readonly maxConnections: number;
}

/** The limits in production. */
export const serverLimits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  answerTimeout: 30_000,
  bodyGrace: 5000,
  lowestRate: 8 * 1024,
  connectionsCheckingInterval: 2000,
  maxHeaderSize: 16 * 1024,
  maxRequestsPerSocket: 1000,
  maxConnections: 4000,
};

interface ServerOptions {
  readonly limits?: ServerLimits;
  /** Whether the service is shutting down: each connection closes after its current response. */
  readonly isDraining?: () => boolean;
  /** The `Link` field that every response carries, including those to unreadable requests. */
  readonly documentation: string;
}

/** Creates a server that bounds slow senders, slow readers, large header sections and open connections. */
export function httpServer(
  app: Koa,
  {
    limits: { maxRequestsPerSocket, maxConnections, answerTimeout, bodyGrace, lowestRate, ...limits } = serverLimits,
    isDraining = () => false,
    documentation,
  }: ServerOptions,
): Server {
  const handle = app.callback();
  /** The response to the last request on each connection. */
  const latest = new WeakMap<Duplex, ServerResponse>();
  // `isUnambiguous` checks `Host`; Node's own rejection would not be a problem document.
  const server = createServer({ ...limits, requireHostHeader: false }, (request, response) => {
    latest.set(request.socket, response);
    // Applies to connections that were busy when the shutdown began.
    if (isDraining()) response.setHeader('Connection', 'close');
    if (!isUnambiguous(request)) return refuseUnreadable(response, 400, documentation);
    // Koa handles every failure itself, so this promise never rejects.
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
  dropSlowConnections(server, { answerTimeout, bodyGrace, lowestRate, interval: limits.connectionsCheckingInterval });
  return server;
}

/**
 * Closes connections beyond the limit at once. With Node's own limit, processes that share a port would keep passing
 * such a connection to each other.
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

/** Loosely matched host and port of a URI (RFC 3986 section 3.2.2); may be empty. */
const host = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;

/**
 * Whether every server would read this request the same way. Node accepts requests that RFC 9112 forbids and that
 * proxies may interpret differently (request smuggling): a missing, repeated or invalid `Host` (section 3.2), transfer
 * codings other than `chunked` or before HTTP/1.1 (section 6.1), and HTTP versions other than 1.0 and 1.1.
 */
function isUnambiguous({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  const { host: hosts = [], 'transfer-encoding': codings = [] } = headersDistinct;
  const isCurrent = httpVersion === '1.1';
  if (!isCurrent && (httpVersion !== '1.0' || codings.length > 0)) return false;
  if (hosts.length > 1 || (isCurrent && hosts.length === 0)) return false;
  return hosts.every((value) => host.test(value)) && codings.every((coding) => coding.toLowerCase() === 'chunked');
}
