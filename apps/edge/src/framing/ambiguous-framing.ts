import type { IncomingMessage } from 'node:http';

/**
 * Whether the next server could read the request differently, although Node's parser takes it: several `Host` lines or
 * none (RFC 9112 section 3.2), a coding other than one `chunked` (section 6.1), or one in HTTP/1.0. Node's parser itself
 * refuses several lengths, a length beside a coding, folded lines and bare carriage returns.
 */
export function isAmbiguous({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = valuesOf(rawHeaders, 'host').length;
  const codings = valuesOf(rawHeaders, 'transfer-encoding');
  if (httpVersion === '1.0') return hosts > 1 || codings.length > 0;
  if (httpVersion !== '1.1' || hosts !== 1 || codings.length > 1) return true;
  return codings.some((coding) => coding.trim().toLowerCase() !== 'chunked');
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

/** Whether the request has a body, which may be empty. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Whether the client waits for an interim answer before it sends the body (RFC 9110 section 10.1.1). */
export const awaitsContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' && headers.expect?.toLowerCase() === '100-continue';
