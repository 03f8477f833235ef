import { type IpAddress, parseIpRange } from '@zonewright/engine';
import { memoized } from '@zonewright/engine/internals';

/**
 * A set of numbers: the ascending bounds of its intervals, in turn the first number inside and the first one after it.
 * The last interval may be unbounded.
 */
type Line = readonly bigint[];

/** A set of client addresses. */
export interface AddressLines {
  readonly 4: Line;
  readonly 6: Line;
}

const families = [4, 6] as const;
const widths = { 4: 32n, 6: 128n } as const;

/** IPv4-mapped addresses count as IPv4, so no client has one of these. */
const mapped: Line = [0xffff_0000_0000n, 0x1_0000_0000_0000n];

const union = (one: Line, other: Line): Line => merged(one, other, (inOne, inOther) => inOne || inOther);
const intersection = (one: Line, other: Line): Line => merged(one, other, (inOne, inOther) => inOne && inOther);
/** Everything else, from 0 on. */
const complement = (line: Line): Line => (line[0] === 0n ? line.slice(1) : [0n, ...line]);

function merged(one: Line, other: Line, isInside: (inOne: boolean, inOther: boolean) => boolean): Line {
  const bounds: bigint[] = [];
  let [at, to] = [0, 0];
  while (at < one.length || to < other.length) {
    const [first, second] = [one[at], other[to]];
    const bound = second === undefined || (first !== undefined && first < second) ? first : second;
    if (bound === undefined) break;
    if (first === bound) at += 1;
    if (second === bound) to += 1;
    // Inside after an odd number of bounds.
    if (isInside(at % 2 === 1, to % 2 === 1) !== (bounds.length % 2 === 1)) bounds.push(bound);
  }
  return bounds;
}

const perFamily = (make: (family: 4 | 6) => Line): AddressLines => ({ 4: make(4), 6: make(6) });

/** Addresses in both sets. */
export const commonAddresses = (one: AddressLines, other: AddressLines): AddressLines =>
  perFamily((family) => intersection(one[family], other[family]));

/** Addresses in one of the sets. */
export const anyAddresses = (one: AddressLines, other: AddressLines): AddressLines =>
  perFamily((family) => union(one[family], other[family]));

/** All other addresses. */
export const otherAddresses = (set: AddressLines): AddressLines => perFamily((family) => complement(set[family]));

/** The number of bounds. */
export const boundsOf = (set: AddressLines): number => set[4].length + set[6].length;

/** Every address. */
export const allAddresses: AddressLines = { 4: [0n], 6: [0n] };

/** No address. */
export const noAddresses: AddressLines = { 4: [], 6: [] };

/** The addresses that can be a client's. */
const clients: AddressLines = { 4: [0n, 1n << widths[4]], 6: intersection([0n, 1n << widths[6]], complement(mapped)) };

/** The addresses in a list of addresses and ranges. */
export const addressesIn = memoized((ranges: readonly string[]): AddressLines => {
  const intervals: Readonly<Record<4 | 6, bigint[][]>> = { 4: [], 6: [] };
  for (const text of ranges) {
    const range = parseIpRange(text);
    if (!range.ok) continue;
    const { family, bits, prefix } = range.value;
    intervals[family].push([bits, bits + (1n << (widths[family] - BigInt(prefix)))]);
  }
  return perFamily((family) => joined(intervals[family]));
});

/** Intervals are CIDR blocks, so either nested or disjoint. */
function joined(intervals: readonly (readonly bigint[])[]): Line {
  const bounds: bigint[] = [];
  for (const [from = 0n, after = 0n] of intervals.toSorted(([one = 0n], [other = 0n]) => (one < other ? -1 : 1))) {
    const last = bounds.at(-1);
    if (last === undefined || from > last) bounds.push(from, after);
    else if (after > last) bounds[bounds.length - 1] = after;
  }
  return bounds;
}

/** Whether the address is in the set. */
export function hasAddress(set: AddressLines, { family, bits }: IpAddress): boolean {
  const line = set[family];
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((line[middle] ?? 0n) <= bits) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/** The first addresses of a client in this many intervals of each family. */
export const firstAddresses = (set: AddressLines, most: number): readonly IpAddress[] =>
  families.flatMap((family) => {
    const possible = intersection(set[family].slice(0, 2 * most), clients[family]);
    return possible.flatMap((bits, at) => (at % 2 === 0 ? [{ family, bits }] : []));
  });
