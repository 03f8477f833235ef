import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hasBody } from './ambiguous-framing.ts';
import { Turns } from './turns.ts';

/** Limits of connections of clients. */
export const connectionLimits = {
  /** From the first byte of a request to the end of its headers. */
  headSeconds: 30,
  /**
   * Without a byte in either direction, while a request is answered. Longer than two origins may take, so that their
   * timeouts are the ones that act.
   */
  idleSeconds: 150,
  /** Between requests. */
  keepAliveSeconds: 65,
  /** Without a byte in either direction on a WebSocket; most programs send pings at least every minute. */
  upgradedIdleSeconds: 600,
  /** Bodies are sent and answers read at this rate at least, as soon as they have been waited for that long. */
  bytesPerSecond: 8 * 1024,
  sendingSeconds: 30,
  /** Longer, because the kernel takes bytes for a slow client in large parts. */
  readingSeconds: 60,
};
/** As `connectionLimits`. */
export type ConnectionLimits = Readonly<typeof connectionLimits>;

/** What happens with requests. */
export interface RequestHandlers {
  readonly request: (request: IncomingMessage, response: ServerResponse) => void;
  /** A WebSocket handshake; `head` is what came behind it. */
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
  /** The whole answer to a request that cannot be parsed, as bytes on the connection. */
  readonly refusal: (status: RefusalStatus) => string;
  /** Told of each such request, unless it began well: then `request` knows of it. */
  readonly refused: (status: RefusalStatus) => void;
}

/** How requests that cannot be parsed are answered. */
export type RefusalStatus = 400 | 408 | 414 | 431;

/**
 * Of names, values and the target together: a little more than evaluation lets pass, because slow clients make the edge
 * hold all of it for as long as a header may take.
 */
const maxHeadBytes = 48 * 1024;
/** Evaluation refuses longer ones (RFC 9110 section 15.5.15), and does so before it looks at the header. */
const maxTargetBytes = 8192;

/** A server for HTTP/1.1 that refuses what cannot be parsed, and closes such connections. */
export function strictServer(handlers: RequestHandlers, limits: ConnectionLimits): Server {
  const server = createServer({
    maxHeaderSize: maxHeadBytes,
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
    requestTimeout: 0,
    headersTimeout: limits.headSeconds * 1000,
    keepAliveTimeout: limits.keepAliveSeconds * 1000,
    connectionsCheckingInterval: Math.min(5, limits.headSeconds) * 1000,
  });
  server.timeout = limits.idleSeconds * 1000;
  const turns = new Turns();
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    turns.take(request.socket, response, () => begin(handlers, request, response));
  server.on('request', answer);
  // The body is asked for when an origin is ready to take it. Other expectations are nobody's.
  server.on('checkContinue', answer).on('checkExpectation', answer);
  // The types are wider: all connections of this server are over TCP.
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    turns.takeOver(socket, () => upgraded(server, handlers, request, socket, head)),
  );
  server.on('connect', (_request, socket: Socket) => turns.takeOver(socket, () => refuse(handlers, socket, 400)));
  server.on('clientError', (error: ParseError, socket: Socket) => unparsable(handlers, turns, error, socket));
  return server;
}

function begin(handlers: RequestHandlers, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // It came behind the last request of the connection.
  if (closing.has(socket)) return;
  const status = refusals.get(response);
  if (status === undefined) handlers.request(request, response);
  else refuse(handlers, socket, status);
}

/** Node cannot parse what has come on a connection: it reads no more of it. */
function unparsable(handlers: RequestHandlers, turns: Turns, error: ParseError, socket: Socket): void {
  const status = statusOf(error);
  const response = turns.latestOn(socket);
  if (status === undefined || !socket.writable) return void socket.destroy();
  if (response === undefined || response.closed) return refuse(handlers, socket, status);
  if (response.req.complete) return cutAfter(response, socket);
  // At the end of the connection, the client has most likely gone away.
  if (!response.headersSent && error.code !== 'HPE_INVALID_EOF_STATE') refusals.set(response, status);
  if (!turns.hasBegun(response)) return;
  refuseMore(socket);
  if (!response.headersSent) return close(socket, handlers.refusal(status));
  cutAfter(response, socket);
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}

/** Closes a connection after a response. */
function cutAfter(response: ServerResponse, socket: Duplex): void {
  response.shouldKeepAlive = false;
  response.once('close', () => socket.destroy());
}

const refusals = new WeakMap<ServerResponse, RefusalStatus>();

/** The status that the client got in place of this response, because the rest of its request could not be parsed. */
export const refusalInPlaceOf = (response: ServerResponse): RefusalStatus | undefined => refusals.get(response);

/**
 * Node hands over every request with an Upgrade field, and does not read its body then. Only WebSocket handshakes are
 * upgraded; of other requests the field is ignored (RFC 9110 section 7.8): they are read again without it.
 */
function upgraded(server: Server, handlers: RequestHandlers, request: IncomingMessage, socket: Socket, head: Buffer) {
  if (closing.has(socket)) return socket.destroy();
  const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket' && request.method === 'GET';
  if (isWebSocket && hasBody(request)) return refuse(handlers, socket, 400);
  if (isWebSocket) return handlers.upgrade(request, socket, head);
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? '';
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/** An error of Node's parser, with the bytes that it was given last. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  /** Of `rawPacket`, before the error. */
  readonly bytesParsed?: number;
}

function statusOf(error: ParseError): RefusalStatus | undefined {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (error.code === 'HPE_HEADER_OVERFLOW') return isInTarget(error) ? 414 : 431;
  return error.code?.startsWith('HPE_') === true ? 400 : undefined;
}

/** Whether the target is too long, as far as the bytes tell: those before them are lost. */
function isInTarget({ rawPacket, bytesParsed }: ParseError): boolean {
  const target = /^[A-Z-]+ (\S*)/.exec(rawPacket?.toString('latin1', 0, bytesParsed) ?? '')?.[1] ?? '';
  return target.length > maxTargetBytes;
}

const closing = new WeakSet<Duplex>();
const closed = new WeakSet<Duplex>();
const lingerMilliseconds = 500;

/** No further request of the connection is answered: what comes is only read until it is closed. */
export const refuseMore = (socket: Duplex): void => void closing.add(socket);

function refuse(handlers: RequestHandlers, socket: Duplex, status: RefusalStatus): void {
  if (closed.has(socket)) return;
  close(socket, handlers.refusal(status));
  handlers.refused(status);
}

/** Sends the last bytes of a connection. Closing it at once, with bytes unread, would take them from the client. */
function close(socket: Duplex, bytes: string): void {
  if (closed.has(socket)) return;
  closed.add(socket);
  refuseMore(socket);
  socket.on('error', () => socket.destroy());
  socket.write(bytes, 'latin1');
  endSoon(socket);
}

/** Ends a connection whose last bytes are written, and closes it a little later, whatever the client does. */
export function endSoon(socket: Duplex): void {
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}
