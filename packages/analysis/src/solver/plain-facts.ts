import { countryCodes, formatIpAddress, parseIpRange } from '@zonewright/engine';
import { isToken, memoized } from '@zonewright/engine/internals';
import type { Variable, VariableValue } from './predicates.ts';

/** A variable other than an address or a header. */
export type PlainFact = Exclude<Variable, 'address' | `rewritten:${string}` | `header:${string}`>;

/** The default values of plain facts. */
export const defaultFacts: Readonly<Record<PlainFact, string>> = {
  method: 'GET',
  ip: '192.0.2.1',
  country: 'DE',
  asn: '64500',
  status: '200',
};

/**
 * Representative values of a fact, the default first: every value is indistinguishable from one of them for the
 * predicates that mention these values.
 */
export function candidates(fact: PlainFact, mentioned: readonly (readonly string[])[]): readonly VariableValue[] {
  const more = fact === 'ip' ? addresses(mentioned) : others[fact](mentioned.flat());
  return [...new Set([defaultFacts[fact], ...more])];
}

const maxAsn = 4_294_967_295;
const longestMethod = 32;

const commonMethods = ['POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS'];

const isMethod = (value: string): boolean => isToken(value) && value.length <= longestMethod && value !== 'CONNECT';
const isAsn = (value: string): boolean => /^[1-9][0-9]*$/.test(value) && Number(value) <= maxAsn;
const isStatus = (value: string): boolean => /^[1-5][0-9][0-9]$/.test(value);

/** The first number from here on that is not mentioned; it exists because lists are bounded. */
function firstFree(from: number, mentioned: readonly string[]): string {
  const taken = new Set(mentioned);
  let number = from;
  while (taken.has(String(number))) number += 1;
  return String(number);
}

function freeMethod(mentioned: readonly string[]): string {
  const taken = new Set(mentioned);
  let method = 'X';
  while (taken.has(method)) method += 'X';
  return method;
}

const others: Readonly<Record<Exclude<PlainFact, 'ip'>, (mentioned: readonly string[]) => readonly VariableValue[]>> = {
  method: (mentioned) => [...commonMethods, ...mentioned.filter(isMethod), freeMethod(mentioned)],
  country: () => [...countryCodes],
  asn: (mentioned) => [...mentioned.filter(isAsn), firstFree(64_501, mentioned), null],
  status: (mentioned) => [...mentioned.filter(isStatus), ...allStatuses],
};

const allStatuses = Array.from({ length: 500 }, (_, at) => String(at + 100));

const widths = { 4: 32, 6: 128 } as const;
/** IPv4-mapped addresses count as IPv4, so IPv6 addresses resume after them. */
const mapped = { first: 0xffff_0000_0000n, afterLast: 0x1_0000_0000_0000n } as const;
const firstAddresses = ['0.0.0.0', '::', formatIpAddress({ family: 6, bits: mapped.afterLast })];

const addresses = (mentioned: readonly (readonly string[])[]): readonly string[] => [
  ...mentioned.flatMap(bordersOf),
  '198.51.100.1',
  '2001:db8::1',
  ...firstAddresses,
];

/** The boundaries of all ranges in a list, cached because lists are long and used by many questions. */
const bordersOf = memoized((ranges: readonly string[]): readonly string[] => ranges.flatMap(borders));

/** The first address of a range and the first one after it: membership changes only there. */
function borders(text: string): readonly string[] {
  const range = parseIpRange(text);
  if (!range.ok) return [];
  const { family, bits, prefix } = range.value;
  const after = bits + (1n << BigInt(widths[family] - prefix));
  return [bits, after]
    .filter((each) => each < 1n << BigInt(widths[family]))
    .filter((each) => family === 4 || each < mapped.first || each >= mapped.afterLast)
    .map((each) => formatIpAddress({ family, bits: each }));
}
