/**
 * The input of automata: bytes, and marks between the parts of an address (`address-words.ts`), which come after all
 * bytes.
 */
export type AutomatonSymbol = number;

/** Bytes and marks together. */
export const symbolCount = 260;

/** What is known about all continuations of a state: all are in the set, none is, or it depends. */
export type Fate = 'all' | 'none' | 'open';

/** A deterministic automaton with lazily created states, which decides a set of texts. */
export interface Automaton {
  readonly start: number;
  readonly step: (state: number, symbol: AutomatonSymbol) => number;
  /** Whether a text ending in the state is in the set. */
  readonly accepts: (state: number) => boolean;
  readonly fate: (state: number) => Fate;
  /** A label for each symbol; the automaton treats symbols with the same label alike. */
  readonly labels: Uint16Array;
  /** The cost of computing a step for the first time, in states of the pattern inside; 0 if there is none. */
  readonly weight: number;
}

/** The definition of an automaton, with states of any type. */
export interface AutomatonDefinition<State> {
  readonly start: State;
  readonly step: (state: State, symbol: AutomatonSymbol) => State;
  readonly accepts: (state: State) => boolean;
  readonly fate: (state: State) => Fate;
  /** States with the same name are identical. */
  readonly name: (state: State) => string;
  readonly labels: Uint16Array;
  /** Default: 0. */
  readonly weight?: number;
}

const unmet = -1;

/** A row of steps that are not remembered. */
const noRow = new Int32Array(0);
/** Maximum size of all rows of this thread, in bytes: they are outside the heap, whose limit does not count them. */
const maxRowBytes = 64 * 2 ** 20;
let rowBytes = 0;

/** Counts rows from zero: those made so far belong to automata that are no longer used. */
export const forgetRows = (): void => {
  rowBytes = 0;
};

/** A row for the steps of a state; beyond the limit, steps are computed each time, with the same results. */
function newRow(width: number): Int32Array {
  const row = rowBytes < maxRowBytes ? new Int32Array(width).fill(unmet) : noRow;
  rowBytes += row.byteLength;
  return row;
}

/** Builds the automaton; each step is computed once. */
export function lazyAutomaton<State>(design: AutomatonDefinition<State>): Automaton {
  const states: State[] = [];
  const rows: Int32Array[] = [];
  const numbers = new Map<string, number>();
  const width = Math.max(...design.labels) + 1;
  const numberOf = (state: State): number => {
    const name = design.name(state);
    const existing = numbers.get(name);
    if (existing !== undefined) return existing;
    numbers.set(name, states.length);
    rows.push(newRow(width));
    return states.push(state) - 1;
  };
  // Only `numberOf` assigns numbers, so the state exists.
  const stateOf = (number: number): State => states[number] as State;
  const start = numberOf(design.start);
  return {
    start,
    step(number, symbol) {
      const label = design.labels[symbol] ?? 0;
      const target = rows[number]?.[label] ?? unmet;
      if (target !== unmet) return target;
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

/** The bytes of a text, one character each, and its marks. */
export const symbolsOf = (text: string): readonly AutomatonSymbol[] =>
  Array.from(text, (character) => character.charCodeAt(0));

/** Labels that distinguish each of these symbols from all others. */
export function labelsOf(symbols: Iterable<AutomatonSymbol>): Uint16Array {
  const labels = new Uint16Array(symbolCount);
  let last = 0;
  for (const symbol of symbols) if (labels[symbol] === 0) labels[symbol] = ++last;
  return labels;
}

/** Labels that distinguish symbols by the result of a function. */
export function labelsBy(sign: (symbol: AutomatonSymbol) => string): Uint16Array {
  const numbers = new Map<string, number>();
  return Uint16Array.from({ length: symbolCount }, (_, symbol) => {
    const name = sign(symbol);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}

/** For each pair of labels: the round that used it last, and its number in that round. */
const rounds = new Int32Array((symbolCount + 1) * (symbolCount + 1));
const numbers = new Int32Array(rounds.length);
let round = 0;

/** The coarsest labels that distinguish everything any of the given ones do. */
export function commonLabels(all: readonly Uint16Array[]): Uint16Array {
  const common = new Uint16Array(symbolCount);
  for (const labels of new Set(all)) {
    round += 1;
    let next = 0;
    for (let symbol = 0; symbol < symbolCount; symbol += 1) {
      const pair = (common[symbol] ?? 0) * (symbolCount + 1) + (labels[symbol] ?? 0);
      if (rounds[pair] !== round) {
        rounds[pair] = round;
        numbers[pair] = next++;
      }
      common[symbol] = numbers[pair] ?? 0;
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
