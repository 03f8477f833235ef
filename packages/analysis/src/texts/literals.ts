import { type Automaton, labelsOf, lazyAutomaton } from './automaton.ts';

const bytesOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

/** The empty set. */
export const noText: Automaton = constant(false);
/** All texts. */
export const anyText: Automaton = constant(true);

function constant(holds: boolean): Automaton {
  return {
    start: 0,
    step: () => 0,
    accepts: () => holds,
    fate: () => (holds ? 'all' : 'none'),
    labels: labelsOf([]),
    weight: 0,
  };
}

/** Exactly these texts. */
export function oneOfTexts(texts: readonly string[]): Automaton {
  const whole = new Set(texts);
  const beginnings = new Set(texts.flatMap((text) => bytesOf(text).map((_, at) => text.slice(0, at))));
  return lazyAutomaton<string | undefined>({
    start: '',
    step(read, symbol) {
      const next = read === undefined ? undefined : read + String.fromCharCode(symbol);
      return next !== undefined && (whole.has(next) || beginnings.has(next)) ? next : undefined;
    },
    accepts: (read) => read !== undefined && whole.has(read),
    fate: (read) => (read === undefined ? 'none' : 'open'),
    // No text contains a mark, so this name of the dead state is unique.
    name: (read) => read ?? '\u{103}',
    labels: labelsOf(texts.flatMap(bytesOf)),
  });
}

/** Texts with this prefix. */
export const startingWith = (text: string): Automaton =>
  lazyAutomaton<number>({
    start: 0,
    step: (read, symbol) =>
      read === text.length || read < 0 ? read : text.charCodeAt(read) === symbol ? read + 1 : -1,
    accepts: (read) => read === text.length,
    fate: (read) => (read === text.length ? 'all' : read < 0 ? 'none' : 'open'),
    name: String,
    labels: labelsOf(bytesOf(text)),
  });

/** Texts containing this one. */
export const containing = (text: string): Automaton => finding(text, true);

/** Texts with this suffix. */
export const endingWith = (text: string): Automaton => finding(text, false);

/** The state is the length of the matched prefix (Knuth-Morris-Pratt). */
function finding(text: string, stays: boolean): Automaton {
  const step = (read: string, symbol: number): string => {
    if (stays && read === text) return read;
    let seen = read + String.fromCharCode(symbol);
    while (!text.startsWith(seen)) seen = seen.slice(1);
    return seen;
  };
  return lazyAutomaton<string>({
    start: '',
    step,
    accepts: (read) => read === text,
    fate: (read) => (stays && read === text ? 'all' : 'open'),
    name: (read) => read,
    labels: labelsOf(bytesOf(text)),
  });
}
