import { type Automaton, labelsOf, lazyAutomaton, symbolsOf } from './automaton.ts';

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

/** The sorted texts that begin with what was read: those from one index up to another. */
interface Beginning {
  readonly from: number;
  readonly to: number;
  /** The number of bytes read. */
  readonly length: number;
}

/** Exactly these texts. */
export function oneOfTexts(texts: readonly string[]): Automaton {
  const sorted = [...new Set(texts)].toSorted();
  const byteAt = (at: number, length: number): number => sorted[at]?.charCodeAt(length) ?? 0;
  /** The first index in the range whose byte here is at least this one; texts that have ended come first. */
  const firstFrom = ({ from, to, length }: Beginning, least: number): number => {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      // The code of a missing byte is not a number, and so below all others.
      if (byteAt(middle, length) >= least) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return lazyAutomaton<Beginning | undefined>({
    start: sorted.length === 0 ? undefined : { from: 0, to: sorted.length, length: 0 },
    step(read, symbol) {
      if (read === undefined) return undefined;
      const [from, to] = [firstFrom(read, symbol), firstFrom(read, symbol + 1)];
      return from < to ? { from, to, length: read.length + 1 } : undefined;
    },
    accepts: (read) => read !== undefined && sorted[read.from]?.length === read.length,
    fate: (read) => (read === undefined ? 'none' : 'open'),
    name: (read) => (read === undefined ? '' : `${read.from} ${read.length}`),
    labels: labelsOf(bytesIn(sorted)),
  });
}

/** The different bytes of the texts. */
function bytesIn(texts: readonly string[]): ReadonlySet<number> {
  const bytes = new Set<number>();
  for (const text of texts) for (let at = 0; at < text.length; at += 1) bytes.add(text.charCodeAt(at));
  return bytes;
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
    labels: labelsOf(symbolsOf(text)),
  });

/** Texts containing this one. */
export const containing = (text: string): Automaton => finding(text, true);

/** Texts with this suffix. */
export const endingWith = (text: string): Automaton => finding(text, false);

/** The state is the length of the matched prefix (Knuth-Morris-Pratt). */
function finding(text: string, stays: boolean): Automaton {
  const shorter = bordersOf(text);
  const step = (read: number, symbol: number): number => {
    if (stays && read === text.length) return read;
    let at = read;
    while (at > 0 && text.charCodeAt(at) !== symbol) at = shorter[at - 1] ?? 0;
    return text.charCodeAt(at) === symbol ? at + 1 : 0;
  };
  return lazyAutomaton<number>({
    start: 0,
    step,
    accepts: (read) => read === text.length,
    fate: (read) => (stays && read === text.length ? 'all' : 'open'),
    name: String,
    labels: labelsOf(symbolsOf(text)),
  });
}

/** For each beginning of the text, the length of its longest proper suffix that is also a beginning. */
function bordersOf(text: string): readonly number[] {
  const borders = [0];
  for (let at = 1, length = 0; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1;
    borders.push(length);
  }
  return borders;
}
