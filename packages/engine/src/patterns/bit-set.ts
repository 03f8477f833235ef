// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** A set of the bytes of a pattern, by their numbers, 32 in a word. */
export type BitSet = Int32Array;

/** A set of few bytes: its words that are not empty. */
export type FewBytes = readonly { readonly word: number; readonly bits: number }[];

/** Bytes that a word has room for. */
export const wordBits = 32;

/** An empty set for a pattern of so many bytes. */
export const emptySet = (bytes: number): BitSet => new Int32Array(Math.ceil(bytes / wordBits));

/** The set of these of so many bytes. */
export function setOf(numbers: readonly number[], bytes: number): BitSet {
  const set = emptySet(bytes);
  for (const number of numbers) set[number >> 5] = (set[number >> 5] as number) | (1 << (number & 31));
  return set;
}

/** The set of these bytes. */
export function fewBytes(numbers: readonly number[]): FewBytes {
  const words = new Map<number, number>();
  for (const number of numbers) words.set(number >> 5, (words.get(number >> 5) ?? 0) | (1 << (number & 31)));
  return [...words].map(([word, bits]) => ({ word, bits }));
}

/** Adds those of the bytes that are in `among`. */
export function addTo(set: BitSet, bytes: FewBytes, among: BitSet): void {
  for (const { word, bits } of bytes) set[word] = (set[word] as number) | (bits & (among[word] as number));
}

/** Whether the set holds one of the bytes. */
export function holdsSome(set: BitSet, bytes: FewBytes): boolean {
  for (const { word, bits } of bytes) if (((set[word] as number) & bits) !== 0) return true;
  return false;
}
