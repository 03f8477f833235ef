import { lowerCased } from '@zonewright/engine/internals';
import { marks } from './address-words.ts';
import {
  type Automaton,
  type AutomatonSymbol,
  commonLabels,
  type Fate,
  labelsOf,
  lazyAutomaton,
  symbolsOf,
} from './automaton.ts';

const bounds = labelsOf(Object.values(marks));
const letters = Array.from({ length: 26 }, (_, at) => at + 0x41);
const digitsAndLetters = Array.from({ length: 0x7b }, (_, byte) => byte).filter((byte) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(byte)),
);

/** States of an automaton applied to one part of a word: before the part, after it (accepted or not), or inside. */
const outside = { before: 0, fits: 1, fails: 2 } as const;
const inside = 3;

interface Part {
  readonly enter: AutomatonSymbol;
  /** Undefined: the part ends with the word. */
  readonly leave: AutomatonSymbol | undefined;
}

const parts: Readonly<Record<'path' | 'query', Part>> = {
  path: { enter: marks.path, leave: marks.query },
  query: { enter: marks.query, leave: undefined },
};

/** Addresses whose path or query is in the set. */
export const withPart = (part: 'path' | 'query', set: Automaton): Automaton => over(set, parts[part]);

/** Addresses whose host is in the set. */
export function withHost(set: Automaton): Automaton {
  const host = over(set, { enter: marks.https, leave: marks.path });
  return { ...host, step: (state, symbol) => host.step(state, symbol === marks.http ? marks.https : symbol) };
}

function over(set: Automaton, { enter, leave }: Part): Automaton {
  const decided = (state: number): number => (set.accepts(state) ? outside.fits : outside.fails);
  const place = (state: number): number => {
    const fate = set.fate(state);
    return fate === 'open' ? inside + state : fate === 'all' ? outside.fits : outside.fails;
  };
  return {
    start: outside.before,
    step(state, symbol) {
      if (state === outside.before) return symbol === enter ? place(set.start) : state;
      if (state < inside) return state;
      return symbol === leave ? decided(state - inside) : place(set.step(state - inside, symbol));
    },
    accepts: (state) => state === outside.fits || (state >= inside && set.accepts(state - inside)),
    fate: (state) => (state === outside.fits ? 'all' : state === outside.fails ? 'none' : 'open'),
    labels: commonLabels([bounds, set.labels]),
    weight: set.weight,
  };
}

/** Addresses with one of the schemes. */
export const withScheme = (schemes: readonly string[]): Automaton => ({
  start: outside.before,
  step(state, symbol) {
    if (state !== outside.before) return state;
    return schemes.includes(symbol === marks.http ? 'http' : 'https') ? outside.fits : outside.fails;
  },
  accepts: (state) => state === outside.fits,
  fate: (state) => (state === outside.fits ? 'all' : state === outside.fails ? 'none' : 'open'),
  labels: bounds,
  weight: 0,
});

const read = (set: Automaton, from: number, text: string): number =>
  symbolsOf(text).reduce((state, symbol) => set.step(state, symbol), from);

/** Addresses whose URL is in the set: scheme, host, path, and `?` with the query unless that is empty. */
export function withUrl(set: Automaton): Automaton {
  // Odd states are at the start of the query: its `?` is read only once something follows.
  const step = (state: number, symbol: AutomatonSymbol): number => {
    if (symbol === marks.http || symbol === marks.https) {
      return 2 * read(set, set.start, symbol === marks.http ? 'http://' : 'https://');
    }
    if (symbol === marks.path) return state;
    if (symbol === marks.query) return state + 1;
    const from = state >> 1;
    return 2 * set.step(state % 2 === 0 ? from : read(set, from, '?'), symbol);
  };
  return {
    start: 2 * set.start,
    step,
    accepts: (state) => set.accepts(state >> 1),
    fate: (state) => set.fate(state >> 1),
    labels: commonLabels([bounds, labelsOf(symbolsOf('?')), set.labels]),
    weight: set.weight,
  };
}

type ParameterPlace =
  | { readonly at: 'name'; readonly state: number }
  | { readonly at: 'value'; readonly state: number }
  | { readonly at: 'other' | 'found' };

/** Queries with a parameter of this name whose value is in the set. */
export function withParameter(name: string, set: Automaton): Automaton {
  const begin: ParameterPlace = { at: 'name', state: 0 };
  const value = (state: number): ParameterPlace => ({ at: 'value', state });
  const isFound = (place: ParameterPlace): boolean =>
    place.at === 'found' ||
    (place.at === 'value' && set.accepts(place.state)) ||
    (place.at === 'name' && name !== '' && place.state === name.length && set.accepts(set.start));
  const inName = (state: number, symbol: AutomatonSymbol): ParameterPlace => {
    if (symbol === equalsSign) return state === name.length ? value(set.start) : { at: 'other' };
    return name.charCodeAt(state) === symbol ? { at: 'name', state: state + 1 } : { at: 'other' };
  };
  return lazyAutomaton<ParameterPlace>({
    start: begin,
    step(place, symbol) {
      if (place.at === 'found') return place;
      if (symbol === ampersand) return isFound(place) ? { at: 'found' } : begin;
      if (place.at === 'name') return inName(place.state, symbol);
      return place.at === 'value' ? value(set.step(place.state, symbol)) : place;
    },
    accepts: isFound,
    fate: (place) => (place.at === 'found' ? 'all' : set.fate(set.start) === 'none' ? 'none' : 'open'),
    name: (place) => ('state' in place ? `${place.at} ${place.state}` : place.at),
    labels: commonLabels([labelsOf(symbolsOf(`&=${name}`)), set.labels]),
    weight: set.weight,
  });
}

const ampersand = 0x26;
const equalsSign = 0x3d;
const dot = 0x2e;
const slash = 0x2f;
const longestExtension = 16;

/** Number of bytes after the last dot of the last segment, and the state of the set; undefined: not in an extension. */
type ExtensionPlace = { readonly length: number; readonly state: number } | undefined;

/** Paths whose extension is in the set. */
export function withExtension(set: Automaton): Automaton {
  const whole = labelsOf([dot, slash, ...digitsAndLetters]);
  return lazyAutomaton<ExtensionPlace>({
    start: undefined,
    step(place, symbol) {
      if (symbol === dot) return { length: 0, state: set.start };
      const character = String.fromCharCode(symbol);
      if (place === undefined || place.length === longestExtension || !/[0-9A-Za-z]/.test(character)) return undefined;
      return { length: place.length + 1, state: set.step(place.state, lowerCased(character).charCodeAt(0)) };
    },
    accepts: (place) => place !== undefined && place.length > 0 && set.accepts(place.state),
    fate: (): Fate => (set.fate(set.start) === 'none' ? 'none' : 'open'),
    name: (place) => (place === undefined ? '' : `${place.length} ${place.state}`),
    labels: whole,
    weight: set.weight,
  });
}

/** An automaton that reads upper-case letters as lower-case ones. */
export const readingLowerCase = (set: Automaton): Automaton => ({
  ...set,
  step: (state, symbol) => set.step(state, symbol >= 0x41 && symbol <= 0x5a ? symbol + 0x20 : symbol),
  labels: commonLabels([set.labels, labelsOf([...letters, ...letters.map((letter) => letter + 0x20)])]),
});
