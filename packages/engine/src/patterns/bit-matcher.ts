import { BitFollower } from './bit-follower.ts';
import { assertions, type Nfa, op } from './nfa.ts';

// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

const wordBits = 32;

/** Where assertions are asked: at the first position, at the last, between a byte of `\w` and one that is none. */
interface Place {
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly atBoundary: boolean;
}

/** What is reached from a state without a byte. */
interface Reach {
  /** Numbers of the bytes that may come next. */
  readonly bytes: readonly number[];
  readonly isMatch: boolean;
}

/** What the automaton does between two bytes, as far as it depends on them. */
interface Between {
  readonly follower: BitFollower;
  /** Bytes with which a match may begin here. */
  readonly begins: Int32Array;
  /** Bytes after which there is a match here. */
  readonly accepts: Int32Array;
  readonly matchesEmpty: boolean;
}

/**
 * Runs an automaton over all its ways at once, 32 of its bytes in each operation, so that patterns of thousands of states
 * take time in proportion to a hundredth of them for each byte of a subject.
 */
export class BitMatcher {
  readonly #nfa: Nfa;
  /** The states that take a byte, from the front of the pattern to its end. */
  readonly #states: readonly number[];
  readonly #numbers: Int32Array;
  /** By byte class, the bytes that it fits. */
  readonly #fits: readonly Int32Array[];
  /** Away from and at a boundary of words. */
  readonly #between: readonly [Between, Between];
  #current: Int32Array;
  #upcoming: Int32Array;

  constructor(nfa: Nfa) {
    this.#nfa = nfa;
    this.#states = Array.from(nfa.ops.keys())
      .filter((state) => nfa.ops[state] === op.byte)
      .toReversed();
    this.#numbers = new Int32Array(nfa.ops.length);
    for (const [number, state] of this.#states.entries()) this.#numbers[state] = number;
    this.#fits = Array.from({ length: nfa.classes.count }, (_, byteClass) =>
      this.#set((state) => nfa.takes[nfa.operands[state] as number]?.[byteClass] === 1),
    );
    const away = this.#betweenBytes(false);
    this.#between = [away, nfa.words === undefined ? away : this.#betweenBytes(true)];
    this.#current = this.#newSet();
    this.#upcoming = this.#newSet();
  }

  /** Whether the pattern matches anywhere in the subject, a string of one character per byte. */
  test(subject: string): boolean {
    const { of: classes } = this.#nfa.classes;
    let wasWord = false;
    this.#current.fill(0);
    for (let at = 0; at < subject.length; at += 1) {
      const byteClass = classes[subject.charCodeAt(at)] as number;
      const isWord = this.#isWord(byteClass);
      const between = this.#between[isWord === wasWord ? 0 : 1];
      if (at === 0) {
        const { bytes, isMatch } = this.#reach(this.#nfa.start, {
          atStart: true,
          atEnd: false,
          atBoundary: isWord,
        });
        if (isMatch) return true;
        this.#upcoming.set(this.#setOf(bytes));
      } else {
        if (between.matchesEmpty || haveCommon(this.#current, between.accepts)) return true;
        this.#upcoming.set(between.begins);
        between.follower.follow(this.#current, this.#upcoming);
      }
      // There is a set for every class of bytes.
      keepCommon(this.#upcoming, this.#fits[byteClass] as Int32Array);
      [this.#current, this.#upcoming] = [this.#upcoming, this.#current];
      wasWord = isWord;
    }
    return this.#endsInMatch(subject.length === 0, wasWord);
  }

  #endsInMatch(atStart: boolean, atBoundary: boolean): boolean {
    const place = { atStart, atEnd: true, atBoundary };
    if (this.#reach(this.#nfa.start, place).isMatch) return true;
    return this.#states.some(
      (state, number) =>
        ((this.#current[number >> 5] as number) & (1 << (number & 31))) !== 0 &&
        this.#reach(this.#nfa.next[state] as number, { ...place, atStart: false }).isMatch,
    );
  }

  #isWord(byteClass: number): boolean {
    return this.#nfa.words?.[byteClass] === 1;
  }

  #betweenBytes(atBoundary: boolean): Between {
    const { start, next } = this.#nfa;
    const place = { atStart: false, atEnd: false, atBoundary };
    const begin = this.#reach(start, place);
    const reached = this.#states.map((state) => this.#reach(next[state] as number, place));
    return {
      follower: new BitFollower(
        reached.map(({ bytes }) => bytes),
        this.#newSet().length,
      ),
      begins: this.#setOf(begin.bytes),
      accepts: this.#setOf([...reached.keys()].filter((number) => reached[number]?.isMatch === true)),
      matchesEmpty: begin.isMatch,
    };
  }

  #reach(first: number, place: Place): Reach {
    const { ops, next, operands } = this.#nfa;
    const bytes: number[] = [];
    const seen = new Set<number>();
    const copies = new Map<number, number>();
    const pending = [first];
    let isMatch = false;
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      const kind = ops[state];
      if (kind === op.byte) bytes.push(this.#numbers[state] as number);
      else if (kind === op.match) isMatch = true;
      else if (kind === op.split) pending.push(...this.#waysOf(state, copies));
      else if (kind !== op.assert || holds(operands[state] as number, place)) pending.push(next[state] as number);
    }
    return { bytes, isMatch };
  }

  /** Where a split leads: not into a copy that may be left out, where an earlier one of its repetition was reached. */
  #waysOf(split: number, reached: Map<number, number>): readonly number[] {
    const { next, operands, runs } = this.#nfa;
    const ways = [next[split] as number, operands[split] as number] as const;
    const run = runs[split] as number;
    if (run === 0) return ways;
    const [copy, exit] = run > 0 ? ways : [ways[1], ways[0]];
    const earliest = reached.get(Math.abs(run)) ?? -1;
    if (earliest >= split) return [exit];
    reached.set(Math.abs(run), split);
    return [copy, exit];
  }

  #newSet(): Int32Array {
    return new Int32Array(Math.ceil(this.#states.length / wordBits) || 1);
  }

  #set(has: (state: number) => boolean): Int32Array {
    return this.#setOf([...this.#states.keys()].filter((number) => has(this.#states[number] as number)));
  }

  #setOf(numbers: readonly number[]): Int32Array {
    const set = this.#newSet();
    for (const number of numbers) set[number >> 5] = (set[number >> 5] as number) | (1 << (number & 31));
    return set;
  }
}

function holds(assertion: number, { atStart, atEnd, atBoundary }: Place): boolean {
  if (assertion === assertions.start) return atStart;
  if (assertion === assertions.end) return atEnd;
  return (assertion === assertions.wordBoundary) === atBoundary;
}

function haveCommon(one: Int32Array, other: Int32Array): boolean {
  for (let at = 0; at < one.length; at += 1) if (((one[at] as number) & (other[at] as number)) !== 0) return true;
  return false;
}

function keepCommon(set: Int32Array, other: Int32Array): void {
  for (let at = 0; at < set.length; at += 1) set[at] = (set[at] as number) & (other[at] as number);
}
