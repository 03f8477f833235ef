import type { IpAddress, IpRange } from './ip-address.ts';

/** An address as text of a fixed length per family, so that keys sort like addresses. */
export type AddressKey = string;

const hexDigits = { 4: 8, 6: 32 } as const;

/** The key of an address. */
export const addressKey = ({ family, bits }: IpAddress): AddressKey =>
  bits.toString(16).padStart(hexDigits[family], '0');

interface Interval {
  readonly first: AddressKey;
  readonly last: AddressKey;
}

/** A set of addresses and ranges, with lookup in logarithmic time. */
export class AddressSet {
  /** By key length: sorted and disjoint. */
  readonly #intervals = new Map<number, readonly Interval[]>();

  constructor(ranges: readonly IpRange[]) {
    const intervals = ranges.map(intervalOf);
    for (const length of Object.values(hexDigits)) {
      this.#intervals.set(length, merged(intervals.filter(({ first }) => first.length === length)));
    }
  }

  /** Whether the address is in one of the ranges; ranges of the other family never contain it. */
  has(key: AddressKey): boolean {
    const intervals = this.#intervals.get(key.length) ?? [];
    let low = 0;
    let high = intervals.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const interval = intervals[middle];
      if (interval !== undefined && interval.last < key) low = middle + 1;
      else high = middle;
    }
    const found = intervals[low];
    return found !== undefined && found.first <= key;
  }
}

function intervalOf({ family, bits, prefix }: IpRange): Interval {
  const rest = BigInt(hexDigits[family] * 4 - prefix);
  const last = bits | ((1n << rest) - 1n);
  return { first: addressKey({ family, bits }), last: addressKey({ family, bits: last }) };
}

/** CIDR blocks are either nested or disjoint: larger ones sort first and swallow those inside. */
function merged(intervals: readonly Interval[]): readonly Interval[] {
  const kept: Interval[] = [];
  for (const interval of intervals.toSorted(byFirstAndSize)) {
    const before = kept.at(-1);
    if (before === undefined || interval.first > before.last) kept.push(interval);
  }
  return kept;
}

function byFirstAndSize(one: Interval, other: Interval): number {
  if (one.first !== other.first) return one.first < other.first ? -1 : 1;
  return one.last > other.last ? -1 : 1;
}
