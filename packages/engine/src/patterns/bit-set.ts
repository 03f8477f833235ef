// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** A set of a pattern's bytes by number, 32 per word. */
export type BitSet = Int32Array;

/** A sparse set: only its non-empty words. */
export type FewBytes = readonly { readonly word: number; readonly bits: number }[];

/** Bits per word. */
export const wordBits = 32;

/** An empty set, with room for the numbers below `bytes`. */
export const emptySet = (bytes: number): BitSet => new Int32Array(Math.ceil(bytes / wordBits));

/** The set of these numbers, which are below `bytes`. */
export function setOf(numbers: readonly number[], bytes: number): BitSet {
  const set = emptySet(bytes);
  for (const number of numbers) set[number >> 5] = (set[number >> 5] as number) | (1 << (number & 31));
  return set;
}

/** The sparse set of these bytes. */
export function fewBytes(numbers: readonly number[]): FewBytes {
  const words = new Map<number, number>();
  for (const number of numbers) words.set(number >> 5, (words.get(number >> 5) ?? 0) | (1 << (number & 31)));
  return [...words].map(([word, bits]) => ({ word, bits }));
}

/** Adds those bytes that are in `among`. */
export function addTo(set: BitSet, bytes: FewBytes, among: BitSet): void {
  for (const { word, bits } of bytes) set[word] = (set[word] as number) | (bits & (among[word] as number));
}

/** Whether the set contains any of the bytes. */
export function holdsSome(set: BitSet, bytes: FewBytes): boolean {
  for (const { word, bits } of bytes) if (((set[word] as number) & bits) !== 0) return true;
  return false;
}
