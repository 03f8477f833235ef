// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** A set of bytes as sorted, non-adjacent ranges: `[low, high, low, high, …]`. */
export type ByteSet = readonly number[];

/** The highest byte. */
export const maxByte = 0xff;

/** The union of ranges `[low, high]`, which may overlap and be unsorted. */
function byteSet(...ranges: readonly (readonly [low: number, high: number])[]): ByteSet {
  const bounds: number[] = [];
  for (const [low, high] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = bounds.at(-1);
    if (last === undefined || low > last + 1) bounds.push(low, high);
    else if (high > last) bounds[bounds.length - 1] = high;
  }
  return bounds;
}

/** The ranges of a set. */
function* rangesOf(set: ByteSet): Generator<readonly [low: number, high: number]> {
  for (let at = 0; at < set.length; at += 2) yield [set[at] as number, set[at + 1] as number];
}

/** The set of one byte. */
export const oneByte = (byte: number): ByteSet => [byte, byte];

/** Every byte in any of the sets. */
export const unionOf = (sets: readonly ByteSet[]): ByteSet => byteSet(...sets.flatMap((set) => [...rangesOf(set)]));

/** Every byte that is not in the set. */
export function complementOf(set: ByteSet): ByteSet {
  const bounds: number[] = [];
  let from = 0;
  for (const [low, high] of rangesOf(set)) {
    if (low > from) bounds.push(from, low - 1);
    from = high + 1;
  }
  if (from <= maxByte) bounds.push(from, maxByte);
  return bounds;
}

/** Whether the byte is in the set. */
export function holdsByte(set: ByteSet, byte: number): boolean {
  for (let at = 0; at < set.length; at += 2) {
    if (byte < (set[at] as number)) return false;
    if (byte <= (set[at + 1] as number)) return true;
  }
  return false;
}

const upper = [0x41, 0x5a] as const;
const lower = [0x61, 0x7a] as const;
const betweenCases = lower[0] - upper[0];

/** The set plus the other case of its ASCII letters. */
export const withOtherCase = (set: ByteSet): ByteSet =>
  byteSet(...rangesOf(set), ...shifted(set, upper, betweenCases), ...shifted(set, lower, -betweenCases));

/** The part of the set within the bounds, shifted. */
const shifted = (set: ByteSet, [first, last]: readonly [number, number], by: number): readonly [number, number][] =>
  [...rangesOf(set)].flatMap(([low, high]): [number, number][] => {
    const from = Math.max(low, first);
    const to = Math.min(high, last);
    return from <= to ? [[from + by, to + by]] : [];
  });

/** `\d` of the dialect. */
export const digits: ByteSet = byteSet([0x30, 0x39]);
/** `\w` of the dialect: digits, ASCII letters and the underscore. */
export const wordBytes: ByteSet = byteSet([0x30, 0x39], upper, [0x5f, 0x5f], lower);
/** `\s` of the dialect: the space and 0x09 to 0x0D. */
export const spaces: ByteSet = byteSet([0x09, 0x0d], [0x20, 0x20]);
/** `.` of the dialect. */
export const anyByte: ByteSet = [0, maxByte];

/**
 * The coarsest classes of adjacent bytes such that no set splits one: how many, the class of each byte, and the smallest
 * byte of each class as its representative.
 */
export function byteClasses(sets: Iterable<ByteSet>) {
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

/** Classes of bytes that no set of a pattern distinguishes: an automaton needs one transition per class. */
export type ByteClasses = Readonly<ReturnType<typeof byteClasses>>;

/** For each class, 1 if the set contains its bytes, else 0; the set must be one of those the classes were made from. */
export const classesIn = ({ examples }: ByteClasses, set: ByteSet): Uint8Array =>
  Uint8Array.from(examples, (byte) => (holdsByte(set, byte) ? 1 : 0));
