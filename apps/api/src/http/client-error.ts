import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** What Node's HTTP parser refuses before there is a request: by error code, the rest is 400. */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What every answer says about its own safety; the app sets it for those that get that far. */
const securityHeaders = [
  "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy: same-origin',
  'Referrer-Policy: no-referrer',
  'Strict-Transport-Security: max-age=31536000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'X-Frame-Options: DENY',
];

/** The kind of problem of everything that is no HTTP request; the title of an answer is that of its status. */
export const unreadableRequest = {
  slug: 'unreadable-request',
  title: 'Unreadable request',
  statuses: [400, 408, 413, 431],
  detail: 'The request could not be read.',
  advice: 'Send a valid HTTP/1.1 request, without long pauses and with at most 16 KiB of header fields.',
} as const;

/**
 * Answers a request that cannot be read with a problem document (RFC 9457), and closes the connection. The link is the
 * one that all answers have.
 */
export const answerClientError =
  (link: string) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status = statusOf[error.code ?? ''] ?? 400;
    const title = STATUS_CODES[status] ?? 'Bad Request';
    const { slug, detail } = unreadableRequest;
    const body = JSON.stringify({ type: `/errors/${slug}`, title, status, detail });
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `Link: ${link}`,
      `X-Request-Id: ${randomUUID()}`,
      ...securityHeaders,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
