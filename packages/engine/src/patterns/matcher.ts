import { BitMatcher } from './bit-matcher.ts';
import type { MatcherMemory } from './matcher-memory.ts';
import { type Nfa, op } from './nfa.ts';
import { type Context, NfaSteps, type StateSet, startContext } from './nfa-steps.ts';

// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** What one pattern may keep of the memory, in bytes, and how many states. */
const ownShare = 256 * 1024;
const maxStates = 1000;
/** Bytes of an object, its key and its place in a table, about. */
const overhead = 160;
/** A cache is worth it when a state serves for so many bytes, at least. */
const bytesForState = 8;

const unknown = 0;
const matched = 1;
const dead = 2;
/** What is not less is where the row of a state begins in the table. */
const firstRow = 3;

interface Met {
  readonly states: Int32Array;
  readonly context: Context;
  /** Whether there is a match when the subject ends here. */
  readonly endsInMatch: boolean;
}

/**
 * Says whether a pattern matches anywhere in a subject, in time linear in the subject. The sets of states that the
 * automaton is in become states of a deterministic automaton as they are met, so that most bytes cost one look into a
 * table. A pattern with too many such sets runs over the automaton itself.
 */
export class Matcher {
  readonly #steps: NfaSteps;
  readonly #memory: MatcherMemory;
  readonly #width: number;
  #table = new Int32Array(0);
  #met: Met[] = [];
  readonly #rows = new Map<string, number>();
  #used = 0;
  /** Bytes of subjects that were read with the states that are met now. */
  #read = 0;
  #givenUp = false;
  #bits: BitMatcher | undefined;
  readonly #one: StateSet;
  readonly #other: StateSet;

  constructor(nfa: Nfa, memory: MatcherMemory) {
    this.#steps = new NfaSteps(nfa);
    this.#memory = memory;
    this.#width = nfa.classes.count;
    this.#one = this.#steps.newSet();
    this.#other = this.#steps.newSet();
  }

  /** Whether the pattern matches anywhere in the subject, a string of one character per byte. */
  test(subject: string): boolean {
    const state = this.#start();
    if (state === matched) return true;
    return state === unknown ? this.#simulate(subject) : this.#run(subject, state);
  }

  #run(subject: string, start: number): boolean {
    const classes = this.#steps.nfa.classes.of;
    let table = this.#table;
    let row = start;
    for (let at = 0; at < subject.length; at += 1) {
      const byteClass = classes[subject.charCodeAt(at)] as number;
      let next = table[row + byteClass] as number;
      if (next < firstRow) {
        if (next === unknown) {
          next = this.#extend(row, byteClass);
          table = this.#table;
          if (next === unknown) return this.#overflow(subject, at);
        }
        if (next < firstRow) return next === matched;
      }
      row = next;
    }
    this.#read += subject.length;
    return this.#metAt(row)?.endsInMatch ?? false;
  }

  #metAt(row: number): Met | undefined {
    return this.#met[(row - firstRow) / this.#width];
  }

  /** The state before the first byte; unknown when there is no room for it. */
  #start(): number {
    if (this.#givenUp) return unknown;
    if (this.#met.length > 0) return firstRow;
    this.#steps.begin(this.#one);
    return this.#one.hasMatch ? matched : this.#meet(this.#one, startContext);
  }

  /** Finds out where a byte of the class leads; unknown when there is no room for what is found. */
  #extend(row: number, byteClass: number): number {
    const steps = this.#steps;
    const context = this.#load(row);
    const isMatch = steps.step(this.#one, context, byteClass, this.#other);
    const next = isMatch
      ? matched
      : this.#other.size === 0
        ? dead
        : this.#meet(this.#other, steps.contextAfter(byteClass));
    this.#table[row + byteClass] = next;
    return next;
  }

  /** The row of the set in the context; unknown when it is new and there is no room. */
  #meet(set: StateSet, context: Context): number {
    const { ops } = this.#steps.nfa;
    const isWaypoint = (state: number) => ops[state] === op.split || ops[state] === op.save;
    const states = set.members
      .subarray(0, set.size)
      .filter((state) => !isWaypoint(state))
      .sort();
    const key = `${context.atStart ? '^' : context.behindWord ? 'w' : ''}${states.join()}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const bytes = overhead + 4 * (this.#width + 3 * states.length);
    if (this.#met.length >= maxStates || this.#used + bytes > ownShare || !this.#memory.take(bytes)) return unknown;
    this.#used += bytes;
    const row = firstRow + this.#met.length * this.#width;
    this.#met.push({ states, context, endsInMatch: this.#steps.endsInMatch(set, context) });
    this.#rows.set(key, row);
    this.#reserve(row + this.#width);
    return row;
  }

  #reserve(entries: number): void {
    if (entries <= this.#table.length) return;
    const grown = new Int32Array(2 * entries);
    grown.set(this.#table);
    this.#table = grown;
  }

  /** Puts the set of a state into `#one` and gives its context. */
  #load(row: number): Context {
    const met = this.#metAt(row);
    this.#steps.load(this.#one, met?.states ?? new Int32Array(0));
    return met?.context ?? startContext;
  }

  /** There is no room: forgets all states, reads without them, and stops keeping any where that does not pay. */
  #overflow(subject: string, at: number): boolean {
    this.#givenUp = this.#read + at < bytesForState * this.#met.length;
    this.#memory.release(this.#used);
    this.#used = 0;
    this.#read = 0;
    this.#table = new Int32Array(0);
    this.#met = [];
    this.#rows.clear();
    return this.#simulate(subject);
  }

  /** Reads the subject without keeping states. */
  #simulate(subject: string): boolean {
    this.#bits ??= new BitMatcher(this.#steps.nfa);
    return this.#bits.test(subject);
  }
}
