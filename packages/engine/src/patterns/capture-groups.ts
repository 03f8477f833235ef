import type { Work } from '../work.ts';
import { holdsByte, wordBytes } from './byte-set.ts';
import { assertions, type Nfa, op } from './nfa.ts';

// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

const none = -1;

/** Work at a position, and for each thread there besides its slots. */
const workForPosition = 4;
const workForThread = 45;

/** States in order of preference, each with the positions recorded on its path. */
interface Threads {
  readonly states: Int32Array;
  readonly slots: Int32Array;
  size: number;
}

/**
 * Finds the groups of the leftmost match; among matches at the same position, alternatives from left to right and
 * greedy or lazy quantifiers decide, as in backtracking engines. Simulates all paths in parallel, so it takes linear
 * time in the subject.
 */
export class GroupFinder {
  readonly #nfa: Nfa;
  readonly #work: Work;
  readonly #width: number;
  #current: Threads;
  #upcoming: Threads;
  readonly #mark: Int32Array;
  #round = 0;
  readonly #noted: Int32Array;
  readonly #pending: Int32Array;

  constructor(nfa: Nfa, work: Work) {
    const states = nfa.ops.length;
    this.#nfa = nfa;
    this.#work = work;
    this.#width = nfa.slots;
    this.#current = threads(states, nfa.slots);
    this.#upcoming = threads(states, nfa.slots);
    this.#mark = new Int32Array(states);
    this.#noted = new Int32Array(nfa.slots);
    // Two entries for each pending path, and two for each recorded position to undo.
    this.#pending = new Int32Array(4 * states + 4);
  }

  /** The texts of groups 1, 2, … of the first match; "" for groups that take no part. Undefined: no match. */
  find(subject: string): readonly string[] | undefined {
    let captures: Int32Array | undefined;
    this.#current.size = 0;
    for (let at = 0; at <= subject.length; at += 1) {
      if (captures === undefined) this.#begin(subject, at);
      if (this.#current.size === 0 && captures !== undefined) break;
      this.#work.spend(workForPosition + this.#current.size * (workForThread + (this.#width >> 2)));
      captures = this.#advance(subject, at) ?? captures;
      [this.#current, this.#upcoming] = [this.#upcoming, this.#current];
    }
    return captures === undefined ? undefined : textsOf(captures, subject);
  }

  /** A match may also start here, with lower preference than all earlier starts. */
  #begin(subject: string, at: number): void {
    if (this.#current.size === 0) this.#round += 1;
    this.#noted.fill(none);
    this.#follow(this.#current, this.#nfa.start, subject, at);
  }

  /** Advances every thread over the byte at the position; returns the slots of one that has matched. */
  #advance(subject: string, at: number): Int32Array | undefined {
    const { ops, next, operands, takes, classes } = this.#nfa;
    const current = this.#current;
    const byteClass = at < subject.length ? (classes.of[subject.charCodeAt(at)] ?? 0) : none;
    this.#upcoming.size = 0;
    this.#round += 1;
    for (let place = 0; place < current.size; place += 1) {
      const state = current.states[place] as number;
      const from = place * this.#width;
      // Later threads are less preferred than this match.
      if (ops[state] === op.match) return current.slots.slice(from, from + this.#width);
      if (takes[operands[state] as number]?.[byteClass] !== 1) continue;
      // Not a view, which would be an object for every thread and byte.
      for (let slot = 0; slot < this.#width; slot += 1) this.#noted[slot] = current.slots[from + slot] as number;
      this.#follow(this.#upcoming, next[state] as number, subject, at + 1);
    }
    return undefined;
  }

  /** Adds all states reached without consuming a byte, in order of preference. */
  #follow(to: Threads, first: number, subject: string, at: number): void {
    const { ops, next, operands } = this.#nfa;
    const pending = this.#pending;
    let waiting = 0;
    const wait = (state: number, slot: number): void => {
      pending[waiting] = state;
      pending[waiting + 1] = slot;
      waiting += 2;
    };
    wait(first, none);
    let steps = 0;
    while (waiting > 0) {
      steps += 1;
      waiting -= 2;
      const state = pending[waiting] as number;
      const slot = pending[waiting + 1] as number;
      if (slot !== none) {
        // An entry to undo; its state is the previous position.
        this.#noted[slot] = state;
        continue;
      }
      if (this.#mark[state] === this.#round) continue;
      this.#mark[state] = this.#round;
      const operand = operands[state] as number;
      if (ops[state] === op.split) {
        wait(operand, none);
        wait(next[state] as number, none);
      } else if (ops[state] === op.save) {
        wait(this.#noted[operand] as number, operand);
        this.#noted[operand] = at;
        wait(next[state] as number, none);
      } else if (ops[state] === op.assert) {
        if (holdsAt(operand, subject, at)) wait(next[state] as number, none);
      } else {
        to.slots.set(this.#noted, to.size * this.#width);
        to.states[to.size] = state;
        to.size += 1;
      }
    }
    // Afterwards, because it is not known before; it is at most once the automaton.
    this.#work.spend(6 * steps);
  }
}

const threads = (states: number, slots: number): Threads => ({
  states: new Int32Array(states),
  slots: new Int32Array(states * slots),
  size: 0,
});

function holdsAt(assertion: number, subject: string, at: number): boolean {
  if (assertion === assertions.start) return at === 0;
  if (assertion === assertions.end) return at === subject.length;
  const isBoundary = isWord(subject, at - 1) !== isWord(subject, at);
  return assertion === assertions.wordBoundary ? isBoundary : !isBoundary;
}

const isWord = (subject: string, at: number): boolean =>
  at >= 0 && at < subject.length && holdsByte(wordBytes, subject.charCodeAt(at));

const textsOf = (slots: Int32Array, subject: string): readonly string[] =>
  Array.from({ length: slots.length / 2 }, (_, group) => {
    const [from = none, to = none] = slots.subarray(2 * group, 2 * group + 2);
    return from === none || to === none ? '' : subject.slice(from, to);
  });
