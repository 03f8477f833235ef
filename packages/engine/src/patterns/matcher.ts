import type { Work } from '../work.ts';
import { BitMatcher } from './bit-matcher.ts';
import { type Nfa, op } from './nfa.ts';
import { type Context, NfaSteps, type StateSet, startContext } from './nfa-steps.ts';
import type { PatternMemory, PatternResources } from './pattern-memory.ts';

// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** Maximum memory per pattern, in bytes, and number of states. */
const ownShare = 256 * 1024;
const maxStates = 1000;
/** Approximate size of an object with its key and map entry, in bytes. */
const overhead = 160;
/** A cache pays off if each state serves at least this many bytes. */
const bytesForState = 8;

/** Work of a step that is not cached, and for each state in a set. */
const workForStep = 40;
const workForMember = 16;

const unknown = 0;
const matched = 1;
const dead = 2;
/** Values from here on are row offsets in the table. */
const firstRow = 3;

interface Met {
  readonly states: Int32Array;
  readonly context: Context;
  /** Whether there is a match if the subject ends here. */
  readonly endsInMatch: boolean;
}

/**
 * Decides whether a pattern matches anywhere in a subject, in linear time. Sets of NFA states become cached DFA states
 * as they occur, so most bytes cost one table lookup. A pattern with too many such sets falls back to simulating the
 * NFA.
 */
export class Matcher {
  readonly #steps: NfaSteps;
  readonly #memory: PatternMemory;
  readonly #work: Work;
  readonly #width: number;
  #table = new Int32Array(0);
  #met: Met[] = [];
  readonly #rows = new Map<string, number>();
  #used = 0;
  /** Bytes of subjects read with the current states. */
  #read = 0;
  #givenUp = false;
  #bits: BitMatcher | undefined;
  readonly #one: StateSet;
  readonly #other: StateSet;

  constructor(nfa: Nfa, { memory, work }: PatternResources) {
    this.#steps = new NfaSteps(nfa);
    this.#memory = memory;
    this.#work = work;
    this.#width = nfa.classes.count;
    this.#one = this.#steps.newSet();
    this.#other = this.#steps.newSet();
  }

  /** Whether the pattern matches anywhere in the subject, a string with one character per byte. */
  test(subject: string): boolean {
    this.#work.spend(1 + (subject.length >> 2));
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

  /** The state before the first byte; `unknown` if there is no room for it. */
  #start(): number {
    if (this.#givenUp) return unknown;
    if (this.#met.length > 0) return firstRow;
    this.#steps.begin(this.#one);
    return this.#one.hasMatch ? matched : this.#meet(this.#one, startContext);
  }

  /** Computes the transition for a byte class; `unknown` if there is no room for its target. */
  #extend(row: number, byteClass: number): number {
    const steps = this.#steps;
    const context = this.#load(row);
    this.#work.spend(workForStep + workForMember * this.#one.size);
    const isMatch = steps.step(this.#one, context, byteClass, this.#other);
    const next = isMatch
      ? matched
      : this.#other.size === 0
        ? dead
        : this.#meet(this.#other, steps.contextAfter(byteClass));
    this.#table[row + byteClass] = next;
    return next;
  }

  /** The row of a set in a context; `unknown` if it is new and there is no room. */
  #meet(set: StateSet, context: Context): number {
    this.#work.spend(workForMember * set.size);
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

  /** Loads the set of a state into `#one` and returns its context. */
  #load(row: number): Context {
    const met = this.#metAt(row);
    this.#steps.load(this.#one, met?.states ?? new Int32Array(0));
    return met?.context ?? startContext;
  }

  /** Out of room: drops all states, finishes the subject without them, and gives up caching if it does not pay off. */
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

  /** Matches the subject without cached states. */
  #simulate(subject: string): boolean {
    this.#bits ??= new BitMatcher(this.#steps.nfa, this.#work);
    return this.#bits.test(subject);
  }
}
