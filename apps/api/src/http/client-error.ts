import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { unreadableRequest } from '@zonewright/api-description';
import { securityHeaders } from './security-headers.ts';

/** Status for each error code of Node's HTTP parser; any other code means 400. */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Problem document (RFC 9457) and header fields for an unreadable request. `link` is the one that every response
 * carries.
 */
function unreadable(status: number, link: string) {
  const { slug, detail } = unreadableRequest;
  const title = STATUS_CODES[status] ?? 'Bad Request';
  const body = JSON.stringify({ type: `/errors/${slug}`, title, status, detail });
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    Link: link,
    'X-Request-Id': randomUUID(),
    ...securityHeaders,
    Connection: 'close',
  };
  return { title, headers, body };
}

/** Rejects a request that Node parsed but that is not valid, and closes the connection. */
export function refuseUnreadable(response: ServerResponse, status: 400 | 417, link: string): void {
  const { headers, body } = unreadable(status, link);
  response.writeHead(status, headers).end(body);
}

/**
 * Responds to malformed or incomplete requests and closes the connection. `latest` is the response to the previous
 * request on the connection: if the client could mistake ours for part of that one, the connection is closed without a
 * response.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { latest, link }: { readonly latest: ServerResponse | undefined; readonly link: string },
): void {
  const isOurTurn = latest === undefined || (latest.req.complete ? latest.writableFinished : isStillDue(latest));
  if (error.code === 'ECONNRESET' || !socket.writable || !isOurTurn) return void socket.destroy();
  const status = statusOf[error.code ?? ''] ?? 400;
  const { title, headers, body } = unreadable(status, link);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`);
}

/**
 * True while nothing of that response has been written and it is not queued without a socket: ours may take its place.
 */
const isStillDue = ({ headersSent, socket }: ServerResponse): boolean => !headersSent && socket !== null;
