import { assertions, type Nfa, op } from './nfa.ts';

// The `as number` in this file: indexes are within bounds by construction, and checks would slow down its loops.

/** The context of assertions: the previous byte, if any. */
export interface Context {
  readonly atStart: boolean;
  readonly behindWord: boolean;
}

/** The context of the first position. */
export const startContext: Context = { atStart: true, behindWord: false };

/** No byte follows: the end of the subject. */
const end = -1;

/** A set of states that can be cleared in constant time: `members[0]` to `members[size - 1]`, in insertion order. */
export class StateSet {
  readonly members: Int32Array;
  size = 0;
  /** Contains the final state, after which nothing else matters. */
  hasMatch = false;
  /** Contains a state that depends on the next byte. */
  hasAssertion = false;
  readonly #places: Int32Array;

  constructor(states: number) {
    this.members = new Int32Array(states);
    this.#places = new Int32Array(states);
  }

  clear(): void {
    this.size = 0;
    this.hasMatch = false;
    this.hasAssertion = false;
  }

  /** Adds the state; false if it is already there. */
  add(state: number): boolean {
    const place = this.#places[state] as number;
    if (place < this.size && this.members[place] === state) return false;
    this.#places[state] = this.size;
    this.members[this.size] = state;
    this.size += 1;
    return true;
  }
}

/**
 * Simulates all paths of an automaton at once, byte by byte; each step takes linear time in the number of states. Sets
 * contain states that consume a byte, and assertions that depend on the next one.
 */
export class NfaSteps {
  readonly nfa: Nfa;
  readonly #resolved: StateSet;
  readonly #pending: Int32Array;

  constructor(nfa: Nfa) {
    this.nfa = nfa;
    this.#resolved = new StateSet(nfa.ops.length);
    this.#pending = new Int32Array(nfa.ops.length + 1);
  }

  /** An empty set for this automaton. */
  newSet(): StateSet {
    return new StateSet(this.nfa.ops.length);
  }

  /** Sets the initial states. */
  begin(set: StateSet): void {
    set.clear();
    this.#reach(set, this.nfa.start, true);
  }

  /** Loads the set with these states. */
  load(set: StateSet, states: Int32Array): void {
    set.clear();
    for (const state of states) {
      set.add(state);
      if (this.nfa.ops[state] === op.assert) set.hasAssertion = true;
    }
  }

  /**
   * Sets `to` to the states after a byte of the class, coming from `from` in the context; a match may start at every
   * byte. True: there is a match already, and `to` is irrelevant.
   */
  step(from: StateSet, context: Context, byteClass: number, to: StateSet): boolean {
    const set = this.#settled(from, context, byteClass);
    if (set.hasMatch) return true;
    const { ops, next, operands, takes } = this.nfa;
    to.clear();
    for (let place = 0; place < set.size; place += 1) {
      const state = set.members[place] as number;
      if (ops[state] !== op.byte || takes[operands[state] as number]?.[byteClass] !== 1) continue;
      const target = next[state] as number;
      if (ops[target] === op.byte) to.add(target);
      else this.#reach(to, target, false);
    }
    this.#reach(to, this.nfa.start, false);
    return to.hasMatch;
  }

  /** Whether there is a match if the subject ends here. */
  endsInMatch(from: StateSet, context: Context): boolean {
    return this.#settled(from, context, end).hasMatch;
  }

  /** The context after a byte of the class. */
  contextAfter(byteClass: number): Context {
    return this.nfa.words?.[byteClass] === 1 ? behindWord : behindOther;
  }

  /** The set with its assertions resolved; the same set if there are none. */
  #settled(from: StateSet, context: Context, byteClass: number): StateSet {
    if (!from.hasAssertion) return from;
    const { ops, next, operands } = this.nfa;
    const resolved = this.#resolved;
    resolved.clear();
    resolved.hasMatch = from.hasMatch;
    for (let place = 0; place < from.size; place += 1) resolved.add(from.members[place] as number);
    // Reached states are appended during the loop, so nested assertions are resolved as well.
    for (let place = 0; place < resolved.size; place += 1) {
      const state = resolved.members[place] as number;
      if (ops[state] === op.assert && this.#holds(operands[state] as number, context, byteClass)) {
        this.#reach(resolved, next[state] as number, context.atStart);
      }
    }
    return resolved;
  }

  #holds(assertion: number, { atStart, behindWord: isBehind }: Context, byteClass: number): boolean {
    if (assertion === assertions.start) return atStart;
    if (assertion === assertions.end) return byteClass === end;
    const isBoundary = isBehind !== (this.nfa.words?.[byteClass] === 1);
    return assertion === assertions.wordBoundary ? isBoundary : !isBoundary;
  }

  /** Adds every state reached from `first` without consuming a byte or depending on the next one. */
  #reach(set: StateSet, first: number, atStart: boolean): void {
    const { ops, next, operands } = this.nfa;
    const pending = this.#pending;
    let waiting = 1;
    pending[0] = first;
    while (waiting > 0) {
      waiting -= 1;
      const state = pending[waiting] as number;
      const kind = ops[state];
      // The start of the subject never comes again.
      if (kind === op.assert && operands[state] === assertions.start && !atStart) continue;
      if (!set.add(state)) continue;
      note(set, kind);
      if (kind === op.split || kind === op.save) pending[waiting++] = next[state] as number;
      if (kind === op.split) pending[waiting++] = operands[state] as number;
    }
  }
}

function note(set: StateSet, kind: number | undefined): void {
  if (kind === op.match) set.hasMatch = true;
  if (kind === op.assert) set.hasAssertion = true;
}

const behindWord: Context = { atStart: false, behindWord: true };
const behindOther: Context = { atStart: false, behindWord: false };
