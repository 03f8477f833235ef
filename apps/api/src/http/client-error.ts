import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityHeaders } from './security-headers.ts';

/** What Node's HTTP parser refuses before there is a request: by error code, the rest is 400. */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The kind of problem of everything that is no HTTP request; the title of an answer is that of its status. */
export const unreadableRequest = {
  slug: 'unreadable-request',
  title: 'Unreadable request',
  statuses: [400, 408, 413, 417, 431],
  detail: 'The request could not be read.',
  advice: 'Send a valid HTTP/1.1 request without long pauses and with at most 16 KiB of header fields.',
} as const;

/** A problem document (RFC 9457) about what is no request, and its header fields. The link is the one that all answers have. */
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

/** Refuses a request that Node has read although it should not, and closes the connection. */
export function refuseUnreadable(response: ServerResponse, status: 400 | 417, link: string): void {
  const { headers, body } = unreadable(status, link);
  response.writeHead(status, headers).end(body);
}

/**
 * Answers bytes that are no request, or one that does not end, and closes the connection. `latest` is the answer to the
 * last request on it: if the client would take ours for a part of that one, or for its beginning, it only closes.
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

/** Nothing of the answer is written, and it waits for no other one, without a socket: ours takes its place. */
const isStillDue = ({ headersSent, socket }: ServerResponse): boolean => !headersSent && socket !== null;
