import { type Automaton, commonLabels, type Fate, symbolCount, symbolsOf } from './automaton.ts';
import { type Spending, statesPerLook } from './budget.ts';

/** A set of texts or its complement. */
export interface SignedSet {
  readonly set: Automaton;
  readonly positive: boolean;
}

/** Asks for a text in the domain that is in one of the sets of each clause. */
export interface WordQuestion {
  readonly domain: Automaton;
  readonly clauses: readonly (readonly SignedSet[])[];
}

/** `none`: proven; `undecided`: out of budget. */
export type WordAnswer = { readonly word: string } | 'none' | 'undecided';

interface Node {
  /** The state of each automaton, the domain's first; `done` if it no longer matters. */
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

/** Maximum size of the states of all nodes, in bytes: they are outside the heap, whose limit does not count them. */
const maxNodeBytes = 32 * 2 ** 20;

/** Number of automaton steps that take about as long as creating a state. */
const stepsAsOne = 100;
/** Number of pattern-state steps that take about as long as creating a state of the search. */
const patternStatesAsOne = 400;

/** The order in which symbols are tried: letters, digits and `/-._` first. */
const preferred = [
  ...symbolsOf('abcdefghijklmnopqrstuvwxyz0123456789/-._ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
  ...Array.from({ length: symbolCount }, (_, symbol) => (symbol + 0x21) % symbolCount),
];

/** A shortest such text, by breadth-first search over the product of the automata. */
export function shortestWord(question: WordQuestion, spending: Spending): WordAnswer {
  return new Search(question, spending).run();
}

class Search {
  readonly #automata: readonly Automaton[];
  readonly #clauses: readonly (readonly SignedPlace[])[];
  readonly #symbols: readonly number[];
  readonly #spending: Spending;
  /** Automata of patterns, and for each automaton the states already expanded. */
  readonly #heavy: readonly number[];
  readonly #met: readonly Set<number>[];
  readonly #seen = new Set<string>();
  /** The states of the node under construction, and which of them matter. */
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
    // Nodes appended during the loop are visited, too.
    for (const node of queue) {
      if (this.#accepts(node)) return { word: wordOf(node) };
      const work = this.#workOf(node);
      if (this.#seen.size * this.#states.byteLength > maxNodeBytes || !this.#spending.take(work)) return 'undecided';
      for (const symbol of this.#symbols) {
        if (work > statesPerLook && !this.#spending.isInTime) return 'undecided';
        const next = this.#after(node, symbol);
        if (next !== undefined) queue.push(next);
      }
    }
    return 'none';
  }

  /** Costs more with many automata, and for pattern states met for the first time in this search. */
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

  /** Creates a node from the current states, dropping settled ones; undefined for dead ends and visited nodes. */
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

  /** The fate of a clause in the current states; records the automata it depends on. */
  #fateOf(clause: readonly SignedPlace[]): Fate {
    this.#waiting.length = 0;
    for (const { at, positive } of clause) {
      const state = this.#states[at] ?? done;
      // A dropped automaton has failed: otherwise the clause would not be open.
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

/** A compact name if the states fit into characters. */
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
