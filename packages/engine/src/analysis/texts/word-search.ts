import type { Spending } from '../budget.ts';
import { type Automaton, commonLabels, type Fate, symbolCount } from './automaton.ts';

/** A set of texts or its complement. */
export interface SignedSet {
  readonly set: Automaton;
  readonly positive: boolean;
}

/** A text that is in the domain and, for each clause, in one of its sets. */
export interface WordQuestion {
  readonly domain: Automaton;
  readonly clauses: readonly (readonly SignedSet[])[];
}

/** `none` is proven; `undecided`: the budget ended. */
export type WordAnswer = { readonly word: string } | 'none' | 'undecided';

interface Node {
  /** State of each automaton, the domain's first; `done` where it does not matter any more. */
  readonly states: Int32Array;
  readonly open: readonly number[];
  readonly before: Node | undefined;
  readonly symbol: number;
}

interface SignedPlace {
  readonly at: number;
  readonly positive: boolean;
}

const done = -1;

/** So many steps of automata take about the time of one state. */
const stepsAsOne = 100;
/** So many steps of states of a pattern take about the time of one state of the search. */
const patternStatesAsOne = 400;

/** The order in which symbols are tried: letters, digits and `/-._` first. */
const preferred = [
  ...Array.from('abcdefghijklmnopqrstuvwxyz0123456789/-._ABCDEFGHIJKLMNOPQRSTUVWXYZ', (each) => each.charCodeAt(0)),
  ...Array.from({ length: symbolCount }, (_, symbol) => (symbol + 0x21) % symbolCount),
];

/** The shortest such text, found breadth-first over the product of the automata. */
export function shortestWord(question: WordQuestion, spending: Spending): WordAnswer {
  return new Search(question, spending).run();
}

class Search {
  readonly #automata: readonly Automaton[];
  readonly #clauses: readonly (readonly SignedPlace[])[];
  readonly #symbols: readonly number[];
  readonly #spending: Spending;
  /** Automata of patterns, and for each automaton the states of which the way on has been computed. */
  readonly #heavy: readonly number[];
  readonly #met: readonly Set<number>[];
  readonly #seen = new Set<string>();
  /** The states of the node that is being made, and which of them matter. */
  readonly #states: Int32Array;
  readonly #matters: Uint8Array;
  readonly #waiting: number[] = [];

  constructor({ domain, clauses }: WordQuestion, spending: Spending) {
    const automata = [...new Set([domain, ...clauses.flat().map(({ set }) => set)])];
    const places = new Map(automata.map((each, at) => [each, at]));
    this.#automata = automata;
    this.#clauses = clauses.map((clause) =>
      clause.map(({ set, positive }) => ({ at: places.get(set) ?? 0, positive })),
    );
    this.#symbols = examplesOf(commonLabels(automata.map(({ labels }) => labels)));
    this.#heavy = automata.flatMap(({ weight }, at) => (weight === 0 ? [] : [at]));
    this.#met = automata.map(() => new Set());
    this.#states = new Int32Array(automata.length);
    this.#matters = new Uint8Array(automata.length);
    this.#spending = spending;
  }

  run(): WordAnswer {
    for (const [at, { start }] of this.#automata.entries()) this.#states[at] = start;
    const first = this.#made([...this.#clauses.keys()], undefined, 0);
    const queue = first === undefined ? [] : [first];
    // What is added while the loop runs is reached as well.
    for (const node of queue) {
      if (this.#accepts(node)) return { word: wordOf(node) };
      if (!this.#spending.take(this.#workOf(node))) return 'undecided';
      for (const symbol of this.#symbols) {
        const next = this.#after(node, symbol);
        if (next !== undefined) queue.push(next);
      }
    }
    return 'none';
  }

  /** More for many automata, and for states of patterns that are met for the first time in this search. */
  #workOf({ states, open }: Node): number {
    let work = 1 + Math.floor(((open.length + states.length) * this.#symbols.length) / stepsAsOne);
    for (const at of this.#heavy) {
      const state = states[at] ?? done;
      const met = this.#met[at];
      if (state === done || met === undefined || met.has(state)) continue;
      met.add(state);
      work += Math.floor(((this.#automata[at]?.weight ?? 0) * this.#symbols.length) / patternStatesAsOne);
    }
    return work;
  }

  #after(node: Node, symbol: number): Node | undefined {
    const [domain] = this.#automata;
    const next = domain?.step(node.states[0] ?? 0, symbol) ?? 0;
    if (domain?.fate(next) === 'none') return undefined;
    this.#states[0] = next;
    for (let at = 1; at < this.#states.length; at += 1) {
      const state = node.states[at] ?? done;
      this.#states[at] = state === done ? done : (this.#automata[at]?.step(state, symbol) ?? done);
    }
    return this.#made(node.open, node, symbol);
  }

  /** A node of the states at hand, without what is settled; undefined when no text goes on, or when it has been seen. */
  #made(before: readonly number[], from: Node | undefined, symbol: number): Node | undefined {
    const states = this.#states;
    this.#matters.fill(0);
    this.#matters[0] = 1;
    const open: number[] = [];
    for (const number of before) {
      const fate = this.#fateOf(this.#clauses[number] ?? []);
      if (fate === 'none') return undefined;
      if (fate === 'all') continue;
      open.push(number);
      for (const at of this.#waiting) this.#matters[at] = 1;
    }
    for (let at = 1; at < states.length; at += 1) if (this.#matters[at] === 0) states[at] = done;
    const name = nameOf(states, open);
    if (this.#seen.has(name)) return undefined;
    this.#seen.add(name);
    return { states: states.slice(), open, before: from, symbol };
  }

  /** What is certain of a clause in the states at hand; notes the automata that it waits for. */
  #fateOf(clause: readonly SignedPlace[]): Fate {
    this.#waiting.length = 0;
    for (const { at, positive } of clause) {
      const state = this.#states[at] ?? done;
      // An automaton that was left out has failed here: otherwise the clause would not be open.
      if (state === done) continue;
      const fate = this.#automata[at]?.fate(state);
      if (fate === (positive ? 'all' : 'none')) return 'all';
      if (fate === 'open') this.#waiting.push(at);
    }
    return this.#waiting.length === 0 ? 'none' : 'open';
  }

  #accepts({ states, open }: Node): boolean {
    const accepted = (at: number): boolean => this.#automata[at]?.accepts(states[at] ?? 0) === true;
    const holds = (number: number): boolean =>
      (this.#clauses[number] ?? []).some(({ at, positive }) => states[at] !== done && accepted(at) === positive);
    return accepted(0) && open.every(holds);
  }
}

/** Short where states fit into characters. */
function nameOf(states: Int32Array, open: readonly number[]): string {
  const codes: number[] = [];
  for (const state of states) {
    if (state >= 0xffff) return `${states.join()};${open.join()}`;
    codes.push(state + 1);
  }
  return String.fromCharCode(...codes, ...open);
}

function examplesOf(labels: Uint16Array): readonly number[] {
  const examples = new Map<number, number>();
  for (const symbol of preferred) {
    const label = labels[symbol] ?? 0;
    if (!examples.has(label)) examples.set(label, symbol);
  }
  return [...examples.values()];
}

function wordOf(node: Node): string {
  const symbols: number[] = [];
  for (let at: Node | undefined = node; at?.before !== undefined; at = at.before) symbols.push(at.symbol);
  return String.fromCharCode(...symbols.toReversed());
}
