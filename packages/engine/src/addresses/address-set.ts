import { type IpAddress, type IpRange, parseIpRange } from './ip-address.ts';

/** An address as a text of fixed length for its family, so that texts sort as addresses do. */
export type AddressKey = string;

const hexDigits = { 4: 8, 6: 32 } as const;

/** The key of an address. */
export const addressKey = ({ family, bits }: IpAddress): AddressKey =>
  bits.toString(16).padStart(hexDigits[family], '0');

interface Interval {
  readonly first: AddressKey;
  readonly last: AddressKey;
}

/** Addresses of any ranges; looking one up takes time logarithmic in their number. */
export class AddressSet {
  /** By length of the key: ascending, and none overlap. */
  readonly #intervals = new Map<number, readonly Interval[]>();

  /** Takes addresses and ranges as texts; what is neither counts for nothing. */
  constructor(ranges: readonly string[]) {
    const intervals = ranges.flatMap((text) => {
      const range = parseIpRange(text);
      return range.ok ? [intervalOf(range.value)] : [];
    });
    for (const length of Object.values(hexDigits)) {
      this.#intervals.set(length, merged(intervals.filter(({ first }) => first.length === length)));
    }
  }

  /** Whether the address lies in one of the ranges; an address of the other family lies in none. */
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

/** CIDR blocks lie either in each other or apart: the larger ones, which come first, stay. */
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
