import { isToken } from '@zonewright/engine/internals';
import {
  type Automaton,
  type AutomatonSymbol,
  commonLabels,
  labelsBy,
  labelsOf,
  lazyAutomaton,
  symbolsOf,
} from './automaton.ts';

const isBlank = (symbol: AutomatonSymbol): boolean => symbol === 0x20 || symbol === 0x09;
const semicolon = 0x3b;
const equalsSign = 0x3d;
const slash = 0x2f;

/** `value` is the state of the set up to the last non-blank byte, `read` the one up to here. */
type CookiePlace =
  | { readonly at: 'name'; readonly length: number }
  | { readonly at: 'value'; readonly value: number; readonly read: number }
  | { readonly at: 'start' | 'gap' | 'other' | 'found' };

/** `Cookie` headers with a cookie of this name whose value is in the set. */
export function withCookie(name: string, set: Automaton): Automaton {
  const isFound = (place: CookiePlace): boolean =>
    place.at === 'found' || (place.at === 'value' && set.accepts(place.value));
  const begin: CookiePlace = { at: 'start' };
  const step = cookieStep(name, set);
  return lazyAutomaton<CookiePlace>({
    start: begin,
    step(place, symbol) {
      if (place.at === 'found' || symbol !== semicolon) return step(place, symbol);
      return isFound(place) ? { at: 'found' } : begin;
    },
    accepts: isFound,
    fate: (place) => (place.at === 'found' ? 'all' : set.fate(set.start) === 'none' ? 'none' : 'open'),
    name: (place) => Object.values(place).join(' '),
    labels: commonLabels([labelsOf(symbolsOf(`;= \t${name}`)), set.labels]),
    weight: set.weight,
  });
}

/** A step inside a cookie. */
function cookieStep(name: string, set: Automaton): (place: CookiePlace, symbol: AutomatonSymbol) => CookiePlace {
  const inName = (length: number, symbol: AutomatonSymbol): CookiePlace => {
    if (length === name.length && isBlank(symbol)) return { at: 'gap' };
    if (length === name.length && symbol === equalsSign) return { at: 'value', value: set.start, read: unread };
    return name.charCodeAt(length) === symbol ? { at: 'name', length: length + 1 } : { at: 'other' };
  };
  const inValue = (value: number, read: number, symbol: AutomatonSymbol): CookiePlace => {
    // Leading blanks are ignored, trailing ones unless something follows.
    if (isBlank(symbol)) return { at: 'value', value, read: read === unread ? read : set.step(read, symbol) };
    const next = set.step(read === unread ? set.start : read, symbol);
    return { at: 'value', value: next, read: next };
  };
  return (place, symbol) => {
    switch (place.at) {
      case 'start':
        return isBlank(symbol) ? place : inName(0, symbol);
      case 'name':
        return inName(place.length, symbol);
      case 'gap':
        if (symbol === equalsSign) return { at: 'value', value: set.start, read: unread };
        return isBlank(symbol) ? place : { at: 'other' };
      case 'value':
        return inValue(place.value, place.read, symbol);
      case 'other':
      case 'found':
        return place;
    }
  };
}

/** The value is empty or blank so far. */
const unread = -1;

/** How far a media type has been read; `after`: trailing blanks, `fits` and `fails`: after the semicolon. */
interface TypePlace {
  readonly at: 'type' | 'subtype' | 'after' | 'fits' | 'fails';
  /** Whether the type or subtype is empty so far. */
  readonly isEmpty: boolean;
  readonly state: number;
}

const fails: TypePlace = { at: 'fails', isEmpty: true, state: 0 };

function within(at: 'type' | 'subtype', isEmpty: boolean, state: number, symbol: AutomatonSymbol): TypePlace {
  if (at === 'type' && symbol === slash) return isEmpty ? fails : { at: 'subtype', isEmpty: true, state };
  return isToken(String.fromCharCode(symbol)) ? { at, isEmpty: false, state } : fails;
}

/** `Content-Type` headers whose media type, lower-cased and without parameters, is in the set. */
export function withMediaType(set: Automaton): Automaton {
  const fits = (place: TypePlace): boolean =>
    place.at === 'fits' ||
    ((place.at === 'subtype' || place.at === 'after') && !place.isEmpty && set.accepts(place.state));
  const step = (place: TypePlace, symbol: AutomatonSymbol): TypePlace => {
    if (place.at === 'fits' || place.at === 'fails') return place;
    if (symbol === semicolon) return fits(place) ? { ...fails, at: 'fits' } : fails;
    if (isBlank(symbol)) return place.at === 'type' ? fails : { ...place, at: 'after' };
    return place.at === 'after' ? fails : within(place.at, place.isEmpty, set.step(place.state, symbol), symbol);
  };
  return lazyAutomaton<TypePlace>({
    start: { at: 'type', isEmpty: true, state: set.start },
    step,
    accepts: fits,
    fate: (place) => (place.at === 'fits' ? 'all' : place.at === 'fails' ? 'none' : 'open'),
    name: (place) => Object.values(place).join(' '),
    labels: commonLabels([typeLabels, set.labels]),
    weight: set.weight,
  });
}

/** Slash, semicolon, blanks, other token bytes, and the rest. */
const typeLabels = labelsBy((symbol) => {
  if (symbol === semicolon || symbol === slash) return String(symbol);
  return isBlank(symbol) ? 'blank' : String(isToken(String.fromCharCode(symbol)));
});
