import { type IpAddress, type IpRange, isInRange, parseIpRange } from './ip-address.ts';

/** Parses the ranges; throws on a typo, when the module loads. */
const rangesOf = (...texts: readonly string[]): readonly IpRange[] =>
  texts.map((text) => {
    const range = parseIpRange(text);
    if (!range.ok) throw new Error(`The refused range ${text} has an invalid ${range.error.reason}.`);
    return range.value;
  });

/**
 * Special-purpose addresses (RFC 6890 and the IANA registries), which no public origin server has. A proxy that sent
 * requests there would let the user who configured the address into its own network (SSRF).
 */
const refused = rangesOf(
  // "This" network, private use (RFC 1918), shared (RFC 6598), loopback, link-local, multicast, reserved, broadcast.
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  // Protocol assignments (RFC 6890), relays of 6to4 (RFC 7526), benchmarking (RFC 2544), and the address of a cloud's
  // platform services.
  '192.0.0.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '168.63.129.16/32',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Protocol assignments (RFC 2928), such as Teredo, which tunnels to any IPv4 address, and 6to4 (RFC 3056), which does
  // so as well.
  '2001::/23',
  '2002::/16',
);

/**
 * The only addresses of IPv6 that are assigned for general use (RFC 4291 section 2.4). Outside of them, prefixes such as
 * that of NAT64 (RFC 6052) lead to any IPv4 address.
 */
const globalUnicast = rangesOf('2000::/3');

/** Addresses for documentation (RFC 5737, RFC 3849, RFC 9637): nobody has them, but examples do. */
const documentation = rangesOf('192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20');

/**
 * Whether an origin server must not have this address. IPv4-mapped addresses are parsed as IPv4. Operators can allow
 * networks of their own: what lies in those, as it is written, is not refused.
 */
export const isRefusedAddress = (address: IpAddress, allowed: readonly IpRange[] = []): boolean =>
  !isWithin(address, allowed) &&
  (isWithin(address, refused) || (address.family === 6 && !isWithin(address, globalUnicast)));

/** Whether an address is one for documentation, which a configuration may name, and nothing connects to. */
export const isDocumentationAddress = (address: IpAddress, allowed: readonly IpRange[] = []): boolean =>
  !isWithin(address, allowed) && isWithin(address, documentation);

const isWithin = (address: IpAddress, ranges: readonly IpRange[]): boolean =>
  ranges.some((range) => isInRange(address, range));
