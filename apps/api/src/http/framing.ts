import type { IncomingMessage } from 'node:http';

/** Host and port of a URI (RFC 3986 section 3.2.2), not looked at closely; it may be empty. */
const host = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;

/**
 * Whether every server takes the request for the same one. What Node lets through and RFC 9112 forbids, proxies may read
 * in another way: no `Host`, several or one that is none (section 3.2), transfer codings besides `chunked`, or any at all
 * before HTTP/1.1 (section 6.1), and other versions of HTTP than 1.0 and 1.1.
 */
export function isUnambiguous({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  const { host: hosts = [], 'transfer-encoding': codings = [] } = headersDistinct;
  const isCurrent = httpVersion === '1.1';
  if (!isCurrent && (httpVersion !== '1.0' || codings.length > 0)) return false;
  if (hosts.length > 1 || (isCurrent && hosts.length === 0)) return false;
  return hosts.every((value) => host.test(value)) && codings.every((coding) => coding.toLowerCase() === 'chunked');
}
