import { type ByteSet, holdsByte, maxByte, rangesOf } from './byte-set.ts';

/** Classes of bytes that no set of a pattern distinguishes: an automaton needs one transition per class. */
export interface ByteClasses {
  readonly count: number;
  /** The class of each byte. */
  readonly of: Uint8Array;
  /** The smallest byte of each class, as its representative. */
  readonly examples: readonly number[];
}

/** The coarsest classes of adjacent bytes such that no set splits one. */
export function byteClasses(sets: Iterable<ByteSet>): ByteClasses {
  const begins = new Uint8Array(maxByte + 2);
  for (const set of sets) {
    for (const [low, high] of rangesOf(set)) {
      begins[low] = 1;
      begins[high + 1] = 1;
    }
  }
  const of = new Uint8Array(maxByte + 1);
  const examples = [0];
  for (let byte = 1; byte <= maxByte; byte += 1) {
    if (begins[byte] === 1) examples.push(byte);
    of[byte] = examples.length - 1;
  }
  return { count: examples.length, of, examples };
}

/** For each class, 1 if the set contains its bytes, else 0; the set must be one of those the classes were made from. */
export const classesIn = ({ examples }: ByteClasses, set: ByteSet): Uint8Array =>
  Uint8Array.from(examples, (byte) => (holdsByte(set, byte) ? 1 : 0));
