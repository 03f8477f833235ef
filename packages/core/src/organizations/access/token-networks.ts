import { formatIpRange, type IpRange, isInRange, parseIpAddress, parseIpRange } from '@zonewright/engine';
import { z } from 'zod';
import { coded } from '../../kernel/shared/parse.ts';

/** Longer than any range: a mapped IPv6 address, a slash and three digits. */
const maxNetworkLength = 49;

/** An IP address or CIDR range (RFC 4632, RFC 4291 section 2.3) in canonical form; host bits are cleared. */
export const TokenNetwork = z
  .string()
  .max(maxNetworkLength)
  .refine(
    (written) => written.length > maxNetworkLength || parseIpRange(written).ok,
    coded('network.syntax', 'This value should be an IP address or a range such as 203.0.113.0/24.'),
  )
  .overwrite((written) => canonical(written))
  .brand<'TokenNetwork'>();
export type TokenNetwork = z.infer<typeof TokenNetwork>;

function canonical(written: string): string {
  const range = parseIpRange(written);
  return range.ok ? formatIpRange(range.value) : written;
}

/**
 * Whether a token that is limited to some networks may be used from an address. Undefined networks mean any; an unknown
 * address is in none.
 */
export function isUsableFrom(networks: readonly TokenNetwork[] | undefined, address: string | undefined): boolean {
  if (networks === undefined) return true;
  const parsed = parseIpAddress(address ?? '');
  return parsed.ok && networks.some((network) => contains(network, parsed.value));
}

function contains(network: TokenNetwork, address: Parameters<typeof isInRange>[0]): boolean {
  const range = parseIpRange(network);
  return range.ok && isInRange(address, range.value);
}

/** How much of an address is recorded of the last use of a token, in bits. */
const recordedPrefix = { 4: 24, 6: 48 } as const;

/** The network of an address as the last use of a token is recorded: a /24 or a /48. Undefined if it is unknown. */
export function networkOfUse(address: string | undefined): string | undefined {
  const parsed = parseIpAddress(address ?? '');
  if (!parsed.ok) return undefined;
  const { family, bits } = parsed.value;
  const prefix = recordedPrefix[family];
  const behind = BigInt((family === 4 ? 32 : 128) - prefix);
  const range: IpRange = { family, bits: (bits >> behind) << behind, prefix };
  return formatIpRange(range);
}
