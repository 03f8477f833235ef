/**
 * What automata of the analysis read: bytes, and marks between the parts of an address (`address-words.ts`), which are
 * greater than every byte.
 */
export type AutomatonSymbol = number;

/** Bytes and marks together. */
export const symbolCount = 260;

/** What is certain of all texts that go on from a state: all are in the set, none is, or it depends. */
export type Fate = 'all' | 'none' | 'open';

/** A deterministic automaton whose states are made when they are met. It decides a set of texts. */
export interface Automaton {
  readonly start: number;
  readonly step: (state: number, symbol: AutomatonSymbol) => number;
  /** Whether a text that ends in the state is in the set. */
  readonly accepts: (state: number) => boolean;
  readonly fate: (state: number) => Fate;
  /** For each symbol a label; what has the same label makes no difference to the automaton. */
  readonly labels: Uint16Array;
  /** How much work a step is that is made for the first time, in states of the pattern inside; 0 where there is none. */
  readonly weight: number;
}

/** How an automaton works, by states of any form. */
export interface Design<State> {
  readonly start: State;
  readonly step: (state: State, symbol: AutomatonSymbol) => State;
  readonly accepts: (state: State) => boolean;
  readonly fate: (state: State) => Fate;
  /** Two states of the same name are one. */
  readonly name: (state: State) => string;
  readonly labels: Uint16Array;
  /** 0 unless given. */
  readonly weight?: number;
}

const unmet = -1;

/** The automaton of a design; each step is computed once. */
export function lazyAutomaton<State>(design: Design<State>): Automaton {
  const states: State[] = [];
  const rows: Int32Array[] = [];
  const numbers = new Map<string, number>();
  const width = Math.max(...design.labels) + 1;
  const numberOf = (state: State): number => {
    const name = design.name(state);
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, states.length);
    rows.push(new Int32Array(width).fill(unmet));
    return states.push(state) - 1;
  };
  // Numbers come from `numberOf` alone, so their states are there.
  const stateOf = (number: number): State => states[number] as State;
  const start = numberOf(design.start);
  return {
    start,
    step(number, symbol) {
      const label = design.labels[symbol] ?? 0;
      const known = rows[number]?.[label] ?? unmet;
      if (known !== unmet) return known;
      const next = numberOf(design.step(stateOf(number), symbol));
      rows[number]?.fill(next, label, label + 1);
      return next;
    },
    accepts: (number) => design.accepts(stateOf(number)),
    fate: (number) => design.fate(stateOf(number)),
    labels: design.labels,
    weight: design.weight ?? 0,
  };
}

/** Labels that tell each of these symbols from all others. */
export function labelsOf(symbols: Iterable<AutomatonSymbol>): Uint16Array {
  const labels = new Uint16Array(symbolCount);
  let last = 0;
  for (const symbol of symbols) if (labels[symbol] === 0) labels[symbol] = ++last;
  return labels;
}

/** Labels that tell symbols apart by what the function gives for them. */
export function labelsBy(sign: (symbol: AutomatonSymbol) => string): Uint16Array {
  const numbers = new Map<string, number>();
  return Uint16Array.from({ length: symbolCount }, (_, symbol) => {
    const name = sign(symbol);
    const known = numbers.get(name) ?? numbers.size;
    numbers.set(name, known);
    return known;
  });
}

/** The coarsest labels that tell apart what any of the given ones do. */
export function commonLabels(all: readonly Uint16Array[]): Uint16Array {
  const common = new Uint16Array(symbolCount);
  for (const labels of new Set(all)) {
    const pairs = new Map<number, number>();
    for (let symbol = 0; symbol < symbolCount; symbol += 1) {
      const pair = (common[symbol] ?? 0) * (symbolCount + 1) + (labels[symbol] ?? 0);
      const known = pairs.get(pair);
      if (known === undefined) pairs.set(pair, pairs.size);
      common[symbol] = known ?? pairs.size - 1;
    }
  }
  return common;
}

/** Whether the text is in the set. */
export function holdsText(automaton: Automaton, text: string): boolean {
  let state = automaton.start;
  for (let at = 0; at < text.length; at += 1) state = automaton.step(state, text.charCodeAt(at));
  return automaton.accepts(state);
}
