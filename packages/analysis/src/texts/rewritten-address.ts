import { marks } from './address-words.ts';
import {
  type Automaton,
  type AutomatonSymbol,
  commonLabels,
  labelsBy,
  labelsOf,
  lazyAutomaton,
  symbolsOf,
} from './automaton.ts';

/** How a rewrite rule transforms the addresses that match it. */
export interface Replacement {
  /** The path prefix to replace, keeping the rest; undefined: the whole path is replaced. */
  readonly source: string | undefined;
  /** The bytes of the rest that are kept, up to the first other one; undefined: all. */
  readonly keeps?: ((byte: number) => boolean) | undefined;
  readonly path: string;
  /** The start of the new query; may be empty. */
  readonly query: string;
  readonly keepsQuery: boolean;
}

type Place =
  | { readonly at: 'front' | 'replaced' | 'rest' | 'slashes' | 'done'; readonly state: number }
  | { readonly at: 'source'; readonly read: number; readonly state: number }
  | { readonly at: 'query'; readonly isFirst: boolean; readonly state: number }
  | { readonly at: 'other' };

const other: Place = { at: 'other' };
const slash = 0x2f;

/**
 * Addresses that the replacement maps into the set. The result for addresses that do not match its source is
 * irrelevant.
 */
export const beforeReplacement = (set: Automaton, replacement: Replacement): Automaton =>
  lazyAutomaton<Place>({
    start: { at: 'front', state: set.start },
    step: stepOf(set, replacement),
    accepts: (place) => (place.at === 'done' || place.at === 'query') && set.accepts(place.state),
    fate: (place) => (place.at === 'other' ? 'none' : set.fate(place.state)),
    name: (place) => Object.values(place).join(' '),
    labels: commonLabels([
      labelsOf([slash, ...Object.values(marks), ...symbolsOf(replacement.source ?? '')]),
      keptLabels(replacement),
      set.labels,
    ]),
    weight: set.weight,
  });

const keptLabels = ({ keeps }: Pick<Replacement, 'keeps'>): Uint16Array =>
  labelsBy((symbol) => String(keeps?.(symbol)));

/** Paths that consist of the source and of bytes that are kept, and so lose nothing. */
export function keptWhole(source: string, keeps: (byte: number) => boolean): Automaton {
  const fails = -1;
  return lazyAutomaton<number>({
    start: 0,
    step(read, symbol) {
      if (read === fails) return fails;
      if (read === source.length) return keeps(symbol) ? read : fails;
      return source.charCodeAt(read) === symbol ? read + 1 : fails;
    },
    accepts: (read) => read === source.length,
    fate: (read) => (read === fails ? 'none' : 'open'),
    name: String,
    labels: commonLabels([labelsOf(symbolsOf(source)), keptLabels({ keeps })]),
  });
}

function stepOf(set: Automaton, { source, keeps, path, query, keepsQuery }: Replacement) {
  const read = (from: number, text: string): number =>
    symbolsOf(text).reduce((state, byte) => set.step(state, byte), from);
  const afterSource = (state: number): Place => ({ at: path === '/' ? 'slashes' : 'rest', state: read(state, path) });
  const inPath = (state: number): Place =>
    source === undefined ? { at: 'replaced', state: read(state, path) } : { at: 'source', read: 0, state };
  const inQuery = (before: number): Place => {
    const state = read(set.step(before, marks.query), query);
    return keepsQuery ? { at: 'query', isFirst: query !== '', state } : { at: 'done', state };
  };
  const inRest = (place: Place & { readonly state: number }, symbol: AutomatonSymbol): Place => {
    const { at, state } = place;
    if (keeps?.(symbol) === false) return { at: 'replaced', state };
    if (at === 'replaced' || (at === 'slashes' && symbol === slash)) return place;
    return { at: 'rest', state: set.step(state, symbol) };
  };
  return (place: Place, symbol: AutomatonSymbol): Place => {
    if (place.at === 'other' || place.at === 'done') return place;
    const { state } = place;
    if (place.at === 'front') {
      const next = set.step(state, symbol);
      return symbol === marks.path ? inPath(next) : { at: 'front', state: next };
    }
    if (place.at === 'query') {
      return { at: 'query', isFirst: false, state: set.step(place.isFirst ? read(state, '&') : state, symbol) };
    }
    if (place.at === 'source') {
      if (source?.charCodeAt(place.read) !== symbol) return other;
      return place.read + 1 === source.length ? afterSource(state) : { ...place, read: place.read + 1 };
    }
    return symbol === marks.query ? inQuery(state) : inRest(place, symbol);
  };
}
