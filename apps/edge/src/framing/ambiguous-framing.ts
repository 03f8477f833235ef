import type { IncomingMessage } from 'node:http';

/**
 * Whether the next server could read the request differently, although Node's parser takes it: several `Host` lines or
 * none (RFC 9112 section 3.2), a coding other than one `chunked` (section 6.1), or one in HTTP/1.0. Node's parser itself
 * refuses several lengths, a length beside a coding, folded lines and bare carriage returns.
 */
export function isAmbiguous({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  let codings = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length !== 17 || name.toLowerCase() !== 'transfer-encoding') continue;
    codings += 1;
    if (rawHeaders[at + 1]?.trim().toLowerCase() !== 'chunked') return true;
  }
  if (httpVersion === '1.0') return hosts > 1 || codings > 0;
  return httpVersion !== '1.1' || hosts !== 1 || codings > 1;
}

/** Whether the request has a body, which may be empty. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
