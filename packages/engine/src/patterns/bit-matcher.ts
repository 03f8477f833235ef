import type { Work } from '../work.ts';
import { addTo, type BitSet, emptySet, type FewBytes, fewBytes, holdsSome, setOf } from './bit-set.ts';
import { FollowSets } from './follow-sets.ts';
import { assertions, type Nfa, op } from './nfa.ts';
import { StateSet } from './nfa-steps.ts';

// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** Where an assertion is tested: at the first position, at the last one, at a word boundary. */
interface Place {
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly atBoundary: boolean;
}

/** What a state reaches without consuming a byte. */
interface Reach {
  /** Numbers of the bytes that may come next. */
  readonly bytes: readonly number[];
  readonly isMatch: boolean;
}

/** Work of preparing a pair of bytes that may follow each other. */
const workForFollower = 20;

/** The automaton between two bytes, in one context. */
interface Between {
  readonly follower: FollowSets;
  /** Bytes that may start a match. */
  readonly begins: FewBytes;
  /** Bytes after which there is a match. */
  readonly accepts: FewBytes;
  readonly matchesEmpty: boolean;
}

/**
 * Simulates all paths of an automaton at once, 32 bytes of the pattern per operation, so that patterns with thousands
 * of states cost about a hundredth of that per byte of the subject.
 */
export class BitMatcher {
  readonly #nfa: Nfa;
  readonly #work: Work;
  /** The states that consume a byte, in pattern order. */
  readonly #states: readonly number[];
  readonly #numbers: Int32Array;
  /** For each byte class, the pattern bytes it matches. */
  readonly #fits: readonly BitSet[];
  /** Away from and at a word boundary. */
  readonly #between: readonly [Between, Between];
  /** Away from and at a word boundary: bytes after which there is a match at the end. Created lazily. */
  readonly #endings: [FewBytes?, FewBytes?] = [];
  /** The states reached from one, and for each repetition the split before its earliest copy among them. */
  readonly #reached: StateSet;
  readonly #copies: Int32Array;
  readonly #workForByte: number;
  readonly #one: BitSet;
  readonly #other: BitSet;

  constructor(nfa: Nfa, work: Work) {
    this.#nfa = nfa;
    this.#work = work;
    this.#reached = new StateSet(nfa.ops.length);
    this.#copies = new Int32Array(1 + nfa.runs.reduce((most, run) => Math.max(most, Math.abs(run)), 0));
    this.#states = Array.from(nfa.ops.keys())
      .filter((state) => nfa.ops[state] === op.byte)
      .toReversed();
    this.#numbers = new Int32Array(nfa.ops.length);
    for (const [number, state] of this.#states.entries()) this.#numbers[state] = number;
    work.spend(nfa.classes.count * this.#states.length);
    this.#fits = Array.from({ length: nfa.classes.count }, (_, byteClass) =>
      setOf(
        this.#numbersOf((state) => nfa.takes[nfa.operands[state] as number]?.[byteClass] === 1),
        this.#states.length,
      ),
    );
    const away = this.#betweenBytes(false);
    this.#between = [away, nfa.words === undefined ? away : this.#betweenBytes(true)];
    this.#workForByte = Math.max(...this.#between.map(({ follower }) => follower.work));
    this.#one = emptySet(this.#states.length);
    this.#other = emptySet(this.#states.length);
  }

  /** Whether the pattern matches anywhere in the subject, a string with one character per byte. */
  test(subject: string): boolean {
    this.#work.spend(subject.length * this.#workForByte);
    const { of: classes } = this.#nfa.classes;
    let wasWord = false;
    let current = this.#one.fill(0);
    let upcoming = this.#other;
    for (let at = 0; at < subject.length; at += 1) {
      const byteClass = classes[subject.charCodeAt(at)] as number;
      // Every byte class has a set.
      const fits = this.#fits[byteClass] as BitSet;
      const isWord = this.#isWord(byteClass);
      if (at === 0) {
        const { bytes, isMatch } = this.#reach(this.#nfa.start, { atStart: true, atEnd: false, atBoundary: isWord });
        if (isMatch) return true;
        addTo(current, fewBytes(bytes), fits);
      } else {
        const { follower, begins, accepts, matchesEmpty } = this.#between[isWord === wasWord ? 0 : 1];
        if (matchesEmpty || holdsSome(current, accepts)) return true;
        follower.follow(current, fits, upcoming);
        addTo(upcoming, begins, fits);
        [current, upcoming] = [upcoming, current];
      }
      wasWord = isWord;
    }
    const place = { atStart: subject.length === 0, atEnd: true, atBoundary: wasWord };
    return this.#reach(this.#nfa.start, place).isMatch || holdsSome(current, this.#ending(wasWord));
  }

  #ending(atBoundary: boolean): FewBytes {
    const place = { atStart: false, atEnd: true, atBoundary };
    const made = () =>
      fewBytes(this.#numbersOf((state) => this.#reach(this.#nfa.next[state] as number, place).isMatch));
    return (this.#endings[atBoundary ? 1 : 0] ??= made());
  }

  #isWord(byteClass: number): boolean {
    return this.#nfa.words?.[byteClass] === 1;
  }

  #betweenBytes(atBoundary: boolean): Between {
    const { start, next } = this.#nfa;
    const place = { atStart: false, atEnd: false, atBoundary };
    const begin = this.#reach(start, place);
    const reached = this.#states.map((state) => this.#reach(next[state] as number, place));
    const steps = reached.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#work.spend(workForFollower * (steps + reached.length));
    return {
      follower: new FollowSets(reached.map(({ bytes }) => bytes)),
      begins: fewBytes(begin.bytes),
      accepts: fewBytes([...reached.keys()].filter((number) => reached[number]?.isMatch === true)),
      matchesEmpty: begin.isMatch,
    };
  }

  #reach(first: number, place: Place): Reach {
    const { ops, next, operands } = this.#nfa;
    const bytes: number[] = [];
    let isMatch = false;
    const reached = this.#reached;
    reached.clear();
    reached.add(first);
    this.#copies.fill(0);
    // Reached states are appended during the loop.
    for (let at = 0; at < reached.size; at += 1) {
      const state = reached.members[at] as number;
      const kind = ops[state];
      if (kind === op.byte) bytes.push(this.#numbers[state] as number);
      else if (kind === op.match) isMatch = true;
      else if (kind === op.split) this.#addWays(state);
      else if (kind !== op.assert || holds(operands[state] as number, place)) reached.add(next[state] as number);
    }
    // Afterwards, because it is not known before; it is at most once the automaton.
    this.#work.spend(1 + 2 * reached.size);
    return { bytes, isMatch };
  }

  /** Follows a split, except to an optional copy if an earlier one of its repetition was reached. */
  #addWays(split: number): void {
    const { next, operands, runs } = this.#nfa;
    const run = runs[split] as number;
    const copy = run < 0 ? (operands[split] as number) : (next[split] as number);
    const exit = run < 0 ? (next[split] as number) : (operands[split] as number);
    const isLater = run !== 0 && (this.#copies[Math.abs(run)] as number) >= split;
    if (!isLater) {
      this.#copies[Math.abs(run)] = split;
      this.#reached.add(copy);
    }
    this.#reached.add(exit);
  }

  /** The numbers of the states that pass a test. */
  #numbersOf(holdsFor: (state: number) => boolean): readonly number[] {
    return [...this.#states.keys()].filter((number) => holdsFor(this.#states[number] as number));
  }
}

function holds(assertion: number, { atStart, atEnd, atBoundary }: Place): boolean {
  if (assertion === assertions.start) return atStart;
  if (assertion === assertions.end) return atEnd;
  return (assertion === assertions.wordBoundary) === atBoundary;
}
