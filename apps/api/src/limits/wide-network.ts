/** A provider gives a site a /48, of which each of 65,536 networks would otherwise have a budget of its own. */
export const wideNetworkTimes = 8;

/**
 * The /48 that contains the /64 of an IPv6 client (RFC 6177 section 2); undefined for an IPv4 address. Takes what
 * `clientNetwork` returns, where the groups of zeros at the end are abbreviated.
 */
export function wideNetwork(network: string): string | undefined {
  const [, address] = /^([0-9a-f:]*)::\/64$/.exec(network) ?? [];
  if (address === undefined) return undefined;
  const groups = address === '' ? [] : address.split(':');
  return `${[...groups, '0', '0', '0'].slice(0, 3).join(':')}::/48`;
}
