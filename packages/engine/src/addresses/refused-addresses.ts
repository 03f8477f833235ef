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
  // Protocol assignments (RFC 6890), benchmarking (RFC 2544), and the address of a cloud's platform services.
  '192.0.0.0/24',
  '198.18.0.0/15',
  '168.63.129.16/32',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Unspecified, loopback, unique local (RFC 4193), link-local, site-local (RFC 3879), multicast.
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  // Local-use NAT64 (RFC 8215), which leads wherever the network says; Teredo (RFC 4380), which tunnels to any IPv4
  // address.
  '64:ff9b:1::/48',
  '2001::/32',
);

/**
 * IPv6 ranges that embed an IPv4 address, and the number of bits that follow it. IPv4-mapped addresses are parsed as
 * IPv4.
 */
const embeddings = [
  // IPv4-compatible (RFC 4291 section 2.5.5.1), IPv4-translated (RFC 2765 section 2.1), NAT64 (RFC 6052 section 2.1), 6to4
  // (RFC 3056 section 2).
  { ranges: rangesOf('::/96', '::ffff:0:0:0/96', '64:ff9b::/96'), behind: 0n },
  { ranges: rangesOf('2002::/16'), behind: 80n },
] as const;

/** Whether an origin server must not have this address, plain or embedded in another one. */
export const isRefusedAddress = (address: IpAddress): boolean =>
  isWithin(address, refused) || embeddedIn(address).some((inner) => isWithin(inner, refused));

const isWithin = (address: IpAddress, ranges: readonly IpRange[]): boolean =>
  ranges.some((range) => isInRange(address, range));

const embeddedIn = (address: IpAddress): readonly IpAddress[] =>
  embeddings.flatMap(({ ranges, behind }) =>
    isWithin(address, ranges) ? [{ family: 4 as const, bits: BigInt.asUintN(32, address.bits >> behind) }] : [],
  );
