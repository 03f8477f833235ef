// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** Steps of one length that many bytes share, such as those to the next byte of a sequence. */
interface Stride {
  /** Words, and bits besides, by which a set is moved. */
  readonly words: number;
  readonly bits: number;
  readonly from: Int32Array;
}

/** Bytes with the same followers. */
interface Junction {
  /** Words of the set that are looked at, each with the bits in it. */
  readonly from: readonly (readonly [word: number, bits: number])[];
  readonly to: readonly (readonly [word: number, bits: number])[];
}

/** Strides of fewer bytes are not worth an operation on the whole set. */
const leastShared = 4;
const maxStrides = 24;

/** Which bytes of a pattern may follow which, for whole sets of them at once. */
export class BitFollower {
  readonly #strides: readonly Stride[];
  readonly #junctions: readonly Junction[];

  /** Takes for each byte the numbers of those that follow it, and the length of sets. */
  constructor(followers: readonly (readonly number[])[], words: number) {
    const lengths = sharedLengths(followers);
    this.#strides = lengths.map((length) => ({
      words: length >> 5,
      bits: length & 31,
      from: setOf(
        [...followers.keys()].filter((number) => followers[number]?.includes(number + length)),
        words,
      ),
    }));
    const shared = new Set(lengths);
    this.#junctions = junctionsOf(followers.map((to, number) => to.filter((each) => !shared.has(each - number))));
  }

  /** Adds to `to` all that may follow a byte of `from`. */
  follow(from: Int32Array, to: Int32Array): void {
    for (const stride of this.#strides) move(stride, from, to);
    for (const junction of this.#junctions) {
      if (!isAtSome(junction.from, from)) continue;
      for (const [word, bits] of junction.to) to[word] = (to[word] as number) | bits;
    }
  }
}

function move({ words, bits, from: mask }: Stride, from: Int32Array, to: Int32Array): void {
  for (let at = 0; at < from.length; at += 1) {
    const moving = (from[at] as number) & (mask[at] as number);
    if (moving === 0) continue;
    const target = at + words;
    if (target >= 0) to[target] = (to[target] as number) | (moving << bits);
    if (bits > 0 && target + 1 < to.length) to[target + 1] = (to[target + 1] as number) | (moving >>> (32 - bits));
  }
}

function isAtSome(places: Junction['from'], set: Int32Array): boolean {
  for (const [word, bits] of places) if (((set[word] as number) & bits) !== 0) return true;
  return false;
}

function sharedLengths(followers: readonly (readonly number[])[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const [number, to] of followers.entries()) {
    for (const each of to) counts.set(each - number, (counts.get(each - number) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= leastShared)
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
  return [...byTargets.values()].map(({ from, to }) => ({ from: wordsOf(from), to: wordsOf(to) }));
}

function wordsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const words = new Map<number, number>();
  for (const number of numbers) words.set(number >> 5, (words.get(number >> 5) ?? 0) | (1 << (number & 31)));
  return [...words];
}

function setOf(numbers: readonly number[], length: number): Int32Array {
  const set = new Int32Array(length);
  for (const [word, bits] of wordsOf(numbers)) set[word] = bits;
  return set;
}
