import { failure, type Outcome, success } from '../outcome.ts';

/** An address as a number. IPv4-mapped IPv6 addresses are treated as IPv4. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** 0 to 2^32 - 1 or 2^128 - 1. */
  readonly bits: bigint;
}

/** All addresses that share the first `prefix` bits with `bits`; the other bits of `bits` are zero. */
export interface IpRange extends IpAddress {
  /** 0 to 32 or 128. */
  readonly prefix: number;
}

/** The text is not an address or range; `reason` is the invalid part. */
export const malformedIp = (reason: 'address' | 'prefix' | 'zone') => ({ type: 'MalformedIp', reason }) as const;
export type MalformedIp = ReturnType<typeof malformedIp>;

/** Length of the longest address: eight groups, the last two in IPv4 notation. */
const maxAddressLength = 45;
const mappedPrefix = 96;
const widths = { 4: 32, 6: 128 } as const;

const group = /^[0-9A-Fa-f]{1,4}$/;
const decimal = /^(?:0|[1-9][0-9]{0,2})$/;

/** Parses an IPv4 or IPv6 address (RFC 4291 section 2.2). Octets with leading zeros and zone ids are rejected. */
export function parseIpAddress(text: string): Outcome<IpAddress, MalformedIp> {
  const address = readAddress(text);
  return address.ok ? success(unmapped(address.value)) : address;
}

/**
 * Parses `address/prefix` (RFC 4632, RFC 4291 section 2.3) or a single address, which is a range of one. Host bits are
 * cleared; an IPv4-mapped range of at least 96 bits becomes an IPv4 range.
 */
export function parseIpRange(text: string): Outcome<IpRange, MalformedIp> {
  const slash = text.indexOf('/');
  const address = slash < 0 ? parseIpAddress(text) : readAddress(text.slice(0, slash));
  if (!address.ok) return address;
  const width = widths[address.value.family];
  if (slash < 0) return success(rangeOf(address.value, width));
  const prefix = readPrefix(text.slice(slash + 1), width);
  return prefix.ok ? success(unmappedRange(rangeOf(address.value, prefix.value))) : prefix;
}

/** Parses ranges and addresses with commas between them; blanks around them are ignored. Fails at the first mistake. */
export function parseIpRanges(text: string): Outcome<readonly IpRange[], MalformedIp> {
  const ranges: IpRange[] = [];
  for (const entry of text.split(',')) {
    const range = parseIpRange(entry.trim());
    if (!range.ok) return range;
    ranges.push(range.value);
  }
  return success(ranges);
}

/** Whether the range contains the address; ranges of the other family never do. */
export function isInRange(address: IpAddress, range: IpRange): boolean {
  if (address.family !== range.family) return false;
  const behind = BigInt(widths[range.family] - range.prefix);
  return address.bits >> behind === range.bits >> behind;
}

/** Canonical text: dotted decimal, or the lower-case compressed form of RFC 5952 section 4. */
export const formatIpAddress = ({ family, bits }: IpAddress): string =>
  family === 4 ? formatIpv4(bits) : formatIpv6(bits);

/** Canonical text of a range; a range of one address is written as that address. */
export const formatIpRange = (range: IpRange): string =>
  range.prefix === widths[range.family] ? formatIpAddress(range) : `${formatIpAddress(range)}/${range.prefix}`;

function readAddress(text: string): Outcome<IpAddress, MalformedIp> {
  if (text.includes('%')) return failure(malformedIp('zone'));
  const family = text.includes(':') ? 6 : 4;
  const bits = text.length > maxAddressLength ? undefined : family === 6 ? readIpv6(text) : readIpv4(text);
  return bits === undefined ? failure(malformedIp('address')) : success({ family, bits });
}

function readPrefix(text: string, width: number): Outcome<number, MalformedIp> {
  const prefix = decimal.test(text) ? Number(text) : Number.NaN;
  return prefix <= width ? success(prefix) : failure(malformedIp('prefix'));
}

/** Not with `split` and `RegExp`, which take five times as long: lists have thousands of addresses. */
function readIpv4(text: string): bigint | undefined {
  let [bits, octets, from] = [0, 0, 0];
  while (from <= text.length) {
    const dot = text.indexOf('.', from);
    const end = dot < 0 ? text.length : dot;
    const octet = readOctet(text, from, end);
    if (octet === undefined) return undefined;
    bits = bits * 256 + octet;
    octets += 1;
    from = end + 1;
  }
  return octets === 4 ? BigInt(bits) : undefined;
}

const zero = 0x30;

function readOctet(text: string, from: number, end: number): number | undefined {
  const length = end - from;
  if (length < 1 || length > 3 || (length > 1 && text.charCodeAt(from) === zero)) return undefined;
  let value = 0;
  for (let at = from; at < end; at += 1) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= 255 ? value : undefined;
}

function readIpv6(text: string): bigint | undefined {
  const gap = text.indexOf('::');
  const [head, tail] = gap < 0 ? [text, ''] : [text.slice(0, gap), text.slice(gap + 2)];
  const first = groupsOf(head, gap < 0);
  const last = groupsOf(tail, true);
  if (first === undefined || last === undefined) return undefined;
  const missing = 32 - first.length - last.length;
  if (gap < 0 ? missing !== 0 : missing < 4) return undefined;
  return BigInt(`0x${first}${'0'.repeat(missing)}${last}`);
}

/** The groups between colons as four digits each; the last 32 bits may be in IPv4 notation. */
function groupsOf(half: string, isEnd: boolean): string | undefined {
  if (half === '') return '';
  let digits = '';
  for (let from = 0; from <= half.length; ) {
    const colon = half.indexOf(':', from);
    const text = half.slice(from, colon < 0 ? half.length : colon);
    const group = colon < 0 && isEnd && text.includes('.') ? lastGroups(text) : wholeGroup(text);
    if (group === undefined) return undefined;
    digits += group;
    if (colon < 0) return digits;
    from = colon + 1;
  }
  return undefined;
}

const wholeGroup = (text: string): string | undefined => (group.test(text) ? text.padStart(4, '0') : undefined);

const lastGroups = (text: string): string | undefined => readIpv4(text)?.toString(16).padStart(8, '0');

const isMapped = ({ family, bits }: IpAddress): boolean => family === 6 && bits >> 32n === 0xffffn;

const unmapped = (address: IpAddress): IpAddress =>
  isMapped(address) ? { family: 4, bits: address.bits & 0xffff_ffffn } : address;

const unmappedRange = (range: IpRange): IpRange =>
  range.prefix >= mappedPrefix && isMapped(range) ? { ...unmapped(range), prefix: range.prefix - mappedPrefix } : range;

function rangeOf({ family, bits }: IpAddress, prefix: number): IpRange {
  const behind = BigInt(widths[family] - prefix);
  return { family, bits: (bits >> behind) << behind, prefix };
}

function formatIpv4(bits: bigint): string {
  const number = Number(bits);
  return [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255].join('.');
}

function formatIpv6(bits: bigint): string {
  // Lists can have thousands of addresses: string operations are faster than 128-bit arithmetic.
  const digits = bits.toString(16).padStart(32, '0');
  const groups = (digits.match(/.{4}/g) ?? []).map((each) => each.replace(/^0{1,3}/, ''));
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

/** The longest run of zero groups; the first one if several are equally long (RFC 5952 section 4.2.3). */
function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  for (const [index, each] of groups.entries()) {
    if (each !== '0') start = index + 1;
    else if (index + 1 - start > longest.length) longest = { start, length: index + 1 - start };
  }
  return longest;
}
