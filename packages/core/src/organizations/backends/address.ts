import { formatIpAddress, type IpRange, isRefusedAddress, parseIpAddress, parseIpRanges } from '@zonewright/engine';
import { z } from 'zod';
import { type Constraint, firstBroken, lengthUpTo } from '../../kernel/shared/constraints.ts';
import { resultOf } from '../../kernel/shared/parse.ts';

/** Maximum length of a host name without its final dot (RFC 1035 section 2.3.4, in text form). */
const maxHostnameLength = 253;
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
/**
 * Labels that URL parsers read as part of an IPv4 address, as in `127.1`, `0x7f.1` and `2130706433` (WHATWG URL, "ends
 * in a number").
 */
const numericLabel = /^(?:[0-9]+|0[Xx][0-9A-Fa-f]*)$/;

/** A host name of letters, digits and hyphens (RFC 1123 section 2.1) that cannot be mistaken for an address. */
function isHostname(text: string): boolean {
  const labels = text.split('.');
  return labels.every((each) => label.test(each)) && !numericLabel.test(labels.at(-1) ?? '');
}

const isIpAddress = (text: string): boolean => parseIpAddress(text).ok;

/** Networks in which an installation allows origin servers although they are not public. */
export type OriginNetworks = readonly IpRange[];

/** Every address. For what is stored: the installation allowed it when it was written. */
export const anyOriginNetwork: OriginNetworks = resultOf(parseIpRanges('0.0.0.0/0, ::/0')).unwrapOr([]);

/** Networks from addresses and CIDR ranges with commas between them; undefined if one of them is malformed. */
export const originNetworksIn = (text: string): OriginNetworks | undefined =>
  resultOf(parseIpRanges(text)).unwrapOr(undefined);

/** Names of the machine itself or of private networks; the names below them are refused as well. */
const privateNames = [
  // RFC 6761 section 6.3, RFC 6762 section 3, RFC 8375.
  'localhost',
  'local',
  'home.arpa',
  // Reserved for private use, and used by cloud metadata services; services inside a cluster.
  'internal',
  'svc',
] as const;

/**
 * Whether a host name (without final dot) cannot be a public one. Single labels are refused because the proxy's
 * resolver would complete them with a search domain.
 */
function isRefusedName(name: string): boolean {
  const key = name.toLowerCase();
  return !key.includes('.') || privateNames.some((each) => key === each || key.endsWith(`.${each}`));
}

const isForbidden = (address: string, allowed: OriginNetworks): boolean =>
  resultOf(parseIpAddress(address)).match(
    (parsed) => isRefusedAddress(parsed, allowed),
    () => isRefusedName(address),
  );

/** Drops the final dot, which marks a name as fully qualified: these names always are. */
const withoutFinalDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

const hostText = (...constraints: readonly Constraint<string>[]) =>
  z
    .string()
    .overwrite(withoutFinalDot)
    .check(firstBroken(...lengthUpTo(maxHostnameLength), ...constraints))
    .meta({ minLength: 1, maxLength: maxHostnameLength });

/**
 * The address of an origin server: a host name or an IP address, kept as written. What a name resolves to can change at
 * any time, so the proxy must check the resolved address again on connecting.
 */
export const backendAddressIn = (allowed: OriginNetworks) =>
  hostText(
    {
      holds: (value) => isIpAddress(value) || isHostname(value),
      code: 'backend.address.syntax',
      message:
        'This value should be an IP address, or a host name of letters, digits, dots and hyphens without a scheme, port or wildcard.',
    },
    {
      holds: (value) => !isForbidden(value, allowed),
      code: 'backend.address.forbidden',
      message:
        'This address is local or belongs to a private or reserved network. Host names need at least two labels.',
    },
  ).brand<'BackendAddress'>();

/** The same where only public addresses are allowed. */
export const BackendAddress = backendAddressIn([]);
export type BackendAddress = z.infer<typeof BackendAddress>;

/** The canonical form of an address for comparisons, which ignore case and the spelling of IP addresses. */
export const addressKey = (address: BackendAddress): string =>
  resultOf(parseIpAddress(address)).match(formatIpAddress, () => address.toLowerCase());

/** A value for the `Host` header of requests to an origin server; it is never resolved. */
const RequestHostname = hostText({
  holds: isHostname,
  code: 'backend.hostname.syntax',
  message: 'This value should be a host name of letters, digits, dots and hyphens without a port or wildcard.',
}).brand<'RequestHostname'>();
export type RequestHostname = z.infer<typeof RequestHostname>;

/** An optional host name; null counts as absent. */
export const OptionalRequestHostname = RequestHostname.nullish().transform((name) => name ?? undefined);
