import type { IncomingMessage } from 'node:http';

/** Loosely matched host and port of a URI (RFC 3986 section 3.2.2); may be empty. */
const host = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;

/**
 * Whether every server would read this request the same way. Node accepts requests that RFC 9112 forbids and that
 * proxies may interpret differently (request smuggling): a missing, repeated or invalid `Host` (section 3.2), transfer
 * codings other than `chunked` or before HTTP/1.1 (section 6.1), and HTTP versions other than 1.0 and 1.1.
 */
export function isUnambiguous({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  const { host: hosts = [], 'transfer-encoding': codings = [] } = headersDistinct;
  const isCurrent = httpVersion === '1.1';
  if (!isCurrent && (httpVersion !== '1.0' || codings.length > 0)) return false;
  if (hosts.length > 1 || (isCurrent && hosts.length === 0)) return false;
  return hosts.every((value) => host.test(value)) && codings.every((coding) => coding.toLowerCase() === 'chunked');
}
