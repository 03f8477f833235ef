import { addTo, type BitSet, type FewBytes, fewBytes, holdsSome, setOf, wordBits } from './bit-set.ts';

// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** Steps of the same length within a word or into the next one, such as those over an optional byte. */
interface ShortStride {
  readonly bits: number;
  /** The bytes reached by it. */
  readonly to: BitSet;
}

/** Steps of any other length shared by many bytes, such as those back to the start of a loop. */
interface LongStride {
  /** How far a set is moved: by words, and by bits besides. */
  readonly words: number;
  readonly bits: number;
  /** The bytes it starts from. */
  readonly from: BitSet;
}

/** Bytes with the same followers. */
interface Junction {
  readonly from: FewBytes;
  readonly to: FewBytes;
}

/** Operations on words that take as long as a unit of work. */
const operationsPerUnit = 4;

/** Strides shared by fewer bytes are not worth an operation on the whole set. */
const minShared = 4;
const maxStrides = 24;

/** Computes which bytes of a pattern may follow which, for whole sets at once. */
export class FollowSets {
  /** Bytes that may follow their predecessor, as nearly all do in a sequence. */
  readonly #nexts: BitSet;
  readonly #shortStrides: readonly ShortStride[];
  readonly #longStrides: readonly LongStride[];
  readonly #junctions: readonly Junction[];
  /** Work of a step. */
  readonly work: number;

  /** Takes the numbers of the followers of each byte. */
  constructor(followers: readonly (readonly number[])[]) {
    const bytes = followers.length;
    const beginnings = (length: number): readonly number[] =>
      [...followers.keys()].filter((number) => followers[number]?.includes(number + length));
    const reached = (length: number): BitSet =>
      setOf(
        beginnings(length).map((number) => number + length),
        bytes,
      );
    const lengths = sharedLengths(followers).filter((length) => length !== 1);
    const isShort = (length: number): boolean => length > 0 && length < wordBits;
    this.#nexts = reached(1);
    this.#shortStrides = lengths.filter(isShort).map((bits) => ({ bits, to: reached(bits) }));
    this.#longStrides = lengths
      .filter((length) => !isShort(length))
      .map((length) => ({ words: length >> 5, bits: length & 31, from: setOf(beginnings(length), bytes) }));
    const shared = new Set([1, ...lengths]);
    this.#junctions = junctionsOf(followers.map((to, number) => to.filter((each) => !shared.has(each - number))));
    this.work = this.#operations();
  }

  #operations(): number {
    const strides = 2 + this.#shortStrides.length + this.#longStrides.length;
    const words = this.#junctions.reduce((sum, { from, to }) => sum + 1 + from.length + to.length, 0);
    return Math.ceil((20 + strides * this.#nexts.length + words) / operationsPerUnit);
  }

  /** Sets `to` to all of `among` that may follow a byte of `from`. */
  follow(from: BitSet, among: BitSet, to: BitSet): void {
    moveShort(this.#nexts, this.#shortStrides, from, among, to);
    for (const stride of this.#longStrides) moveLong(stride, from, among, to);
    for (const junction of this.#junctions) if (holdsSome(from, junction.from)) addTo(to, junction.to, among);
  }
}

function moveShort(nexts: BitSet, strides: readonly ShortStride[], from: BitSet, among: BitSet, to: BitSet): void {
  let before = 0;
  for (let at = 0; at < to.length; at += 1) {
    const here = from[at] as number;
    if ((here | before) === 0) {
      to[at] = 0;
      continue;
    }
    let reached = ((here << 1) | (before >>> 31)) & (nexts[at] as number);
    // Not an iterator, which would take a third longer.
    for (let each = 0; each < strides.length; each += 1) {
      // The index is below the length.
      const { bits, to: ends } = strides[each] as ShortStride;
      reached |= ((here << bits) | (before >>> (wordBits - bits))) & (ends[at] as number);
    }
    to[at] = reached & (among[at] as number);
    before = here;
  }
}

function moveLong({ words, bits, from: mask }: LongStride, from: BitSet, among: BitSet, to: BitSet): void {
  for (let at = 0; at < from.length; at += 1) {
    const moving = (from[at] as number) & (mask[at] as number);
    if (moving === 0) continue;
    const low = at + words;
    const high = low + 1;
    if (low >= 0) to[low] = (to[low] as number) | ((moving << bits) & (among[low] as number));
    // Shifted in two steps, because a shift by 32 bits does nothing.
    const carried = (moving >>> 1) >>> (wordBits - 1 - bits);
    if (high < to.length) to[high] = (to[high] as number) | (carried & (among[high] as number));
  }
}

function sharedLengths(followers: readonly (readonly number[])[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const [number, to] of followers.entries()) {
    for (const each of to) counts.set(each - number, (counts.get(each - number) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= minShared)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxStrides)
    .map(([length]) => length);
}

function junctionsOf(followers: readonly (readonly number[])[]): readonly Junction[] {
  const byTargets = new Map<string, { readonly from: number[]; readonly to: readonly number[] }>();
  for (const [number, to] of followers.entries()) {
    if (to.length === 0) continue;
    const key = to.toSorted((one, other) => one - other).join();
    const known = byTargets.get(key);
    if (known === undefined) byTargets.set(key, { from: [number], to });
    else known.from.push(number);
  }
  return [...byTargets.values()].map(({ from, to }) => ({ from: fewBytes(from), to: fewBytes(to) }));
}
