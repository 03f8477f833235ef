import { parseIpAddress } from '../addresses/ip-address.ts';

const maxHost = 253;
const label = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;
const authorityParts = /^(\[[0-9A-Fa-f:.]*\]|[^:[\]]*)(?::([0-9]{0,5}))?$/;
const maxPort = 65_535;

/**
 * The canonical host: lower case, without a final dot. A name of 1 to 253 characters (labels of letters, digits, `_`
 * and inner `-`), or an IPv6 address in brackets, kept as written. Undefined for anything else, including a port.
 */
export function canonicalHost(written: string): string | undefined {
  if (written.startsWith('[')) return isBracketedIpv6(written) ? written.toLowerCase() : undefined;
  const name = written.endsWith('.') ? written.slice(0, -1) : written;
  if (name.length > maxHost) return undefined;
  return name.split('.').every((each) => label.test(each)) ? name.toLowerCase() : undefined;
}

const isBracketedIpv6 = (written: string): boolean =>
  written.endsWith(']') && written.includes(':') && parseIpAddress(written.slice(1, -1)).ok;

/** The canonical host of `host` or `host:port`, whose port may be empty; undefined for any other authority. */
export function hostOfAuthority(authority: string): string | undefined {
  const [, host, port = ''] = authorityParts.exec(authority) ?? [];
  return host === undefined || Number(port) > maxPort ? undefined : canonicalHost(host);
}

/** The host names that answer for a host, the exact one first: itself, and the wildcard for exactly its first label. */
export const namesAnswering = (host: string): readonly string[] => {
  const dot = host.indexOf('.');
  return dot > 0 ? [host, `*${host.slice(dot)}`] : [host];
};
