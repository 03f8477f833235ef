import type { Spending } from '../budget.ts';
import { type Automaton, commonLabels, symbolCount } from './automaton.ts';

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
  readonly states: readonly number[];
  readonly open: readonly number[];
  readonly before: Node | undefined;
  readonly symbol: number;
}

const done = -1;

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
  readonly #clauses: readonly (readonly { readonly at: number; readonly positive: boolean }[])[];
  readonly #symbols: readonly number[];
  readonly #spending: Spending;
  /** Automata of patterns, and for each automaton the states of which the way on has been computed. */
  readonly #heavy: readonly number[];
  readonly #met: readonly Set<number>[];
  readonly #seen = new Set<string>();

  constructor({ domain, clauses }: WordQuestion, spending: Spending) {
    const automata = [...new Set([domain, ...clauses.flat().map(({ set }) => set)])];
    this.#automata = automata;
    this.#clauses = clauses.map((clause) =>
      clause.map(({ set, positive }) => ({ at: automata.indexOf(set), positive })),
    );
    this.#symbols = examplesOf(commonLabels(automata.map(({ labels }) => labels)));
    this.#heavy = automata.flatMap(({ weight }, at) => (weight === 0 ? [] : [at]));
    this.#met = automata.map(() => new Set());
    this.#spending = spending;
  }

  run(): WordAnswer {
    const starts = this.#automata.map(({ start }) => start);
    const first = this.#reduced({ states: starts, open: [...this.#clauses.keys()], before: undefined, symbol: 0 });
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
    let work = 1 + Math.floor((open.length * this.#symbols.length) / 256);
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
    const [domain = 0] = node.states;
    const next = this.#automata[0]?.step(domain, symbol) ?? 0;
    if (this.#automata[0]?.fate(next) === 'none') return undefined;
    const states = node.states.map((state, at) =>
      at === 0 ? next : state === done ? done : (this.#automata[at]?.step(state, symbol) ?? done),
    );
    return this.#reduced({ states, open: node.open, before: node, symbol });
  }

  /** Without what is settled; undefined when no text goes on from here, or when this has been seen. */
  #reduced(node: Node): Node | undefined {
    const open: number[] = [];
    const needed = new Set([0]);
    for (const number of node.open) {
      const { fate, waiting } = this.#fateOf(number, node.states);
      if (fate === 'none') return undefined;
      if (fate === 'all') continue;
      open.push(number);
      for (const at of waiting) needed.add(at);
    }
    const states = node.states.map((state, at) => (needed.has(at) ? state : done));
    const name = nameOf(states, open);
    if (this.#seen.has(name)) return undefined;
    this.#seen.add(name);
    return { ...node, states, open };
  }

  #fateOf(number: number, states: readonly number[]) {
    const waiting: number[] = [];
    for (const { at, positive } of this.#clauses[number] ?? []) {
      const state = states[at] ?? done;
      // An automaton that was left out has failed here: otherwise the clause would not be open.
      const fate = state === done ? (positive ? 'none' : 'all') : (this.#automata[at]?.fate(state) ?? 'open');
      if (fate === (positive ? 'all' : 'none')) return { fate: 'all', waiting } as const;
      if (fate === 'open') waiting.push(at);
    }
    return { fate: waiting.length === 0 ? 'none' : 'open', waiting } as const;
  }

  #accepts({ states, open }: Node): boolean {
    const accepted = (at: number): boolean => this.#automata[at]?.accepts(states[at] ?? 0) === true;
    const holds = (number: number): boolean =>
      (this.#clauses[number] ?? []).some(({ at, positive }) => states[at] !== done && accepted(at) === positive);
    return accepted(0) && open.every(holds);
  }
}

/** Short where states fit into characters. */
const nameOf = (states: readonly number[], open: readonly number[]): string =>
  states.every((state) => state < 0xffff)
    ? String.fromCharCode(...states.map((state) => state + 1), ...open)
    : `${states.join()};${open.join()}`;

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
