import { failure, type Outcome, success } from '../outcome.ts';
import { type PatternProblem, patternLimits, patternProblem, refused, tooManyTimes } from './pattern-problems.ts';

/** How often the preceding piece is repeated. */
export interface Quantifier {
  readonly min: number;
  /** Infinity if unbounded. */
  readonly max: number;
  /** Written with braces, so the automaton has that many copies of the piece. */
  readonly counted: boolean;
  /** Takes as much as possible; false with the lazy mark `?`. */
  readonly greedy: boolean;
  /** Position after the quantifier. */
  readonly end: number;
}

const once = { counted: false } as const;
const symbols = new Map([
  ['*', { ...once, min: 0, max: Number.POSITIVE_INFINITY }],
  ['+', { ...once, min: 1, max: Number.POSITIVE_INFINITY }],
  ['?', { ...once, min: 0, max: 1 }],
]);
const counted = /\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y;

/** Whether a quantifier, or something similar, starts at the position. */
export const startsQuantifier = (source: string, at: number): boolean =>
  symbols.has(source.charAt(at)) || source[at] === '{';

/** Parses the quantifier at the position with its lazy mark, and rejects a second quantifier. */
export function parseQuantifier(source: string, at: number): Outcome<Quantifier, PatternProblem> {
  const bounds = parseBounds(source, at);
  if (!bounds.ok) return bounds;
  const { end } = bounds.value;
  if (source[end] === '+') {
    return failure(refused('possessive', 'The possessive quantifier', source.slice(at, end + 1), at));
  }
  const greedy = source[end] !== '?';
  const behind = greedy ? end : end + 1;
  return startsQuantifier(source, behind)
    ? failure(refused('quantifier.repeated', 'The second quantifier', source.charAt(behind), behind))
    : success({ ...bounds.value, greedy, end: behind });
}

type Bounds = Omit<Quantifier, 'greedy'>;

function parseBounds(source: string, at: number): Outcome<Bounds, PatternProblem> {
  const symbol = symbols.get(source.charAt(at));
  if (symbol !== undefined) return success({ ...symbol, end: at + 1 });
  counted.lastIndex = at;
  const [text, least, comma, most] = counted.exec(source) ?? [];
  if (text === undefined) return failure(looseBrace(at));
  const min = Number(least);
  const max = comma === undefined ? min : most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  if (Math.max(min, Number(most ?? 0)) > patternLimits.repetitions) return failure(tooManyTimes(text, at));
  if (max < min) return failure(invertedBounds(text, at));
  return success({ min, max, counted: true, end: at + text.length });
}

const looseBrace = (at: number): PatternProblem =>
  patternProblem(
    'quantifier.syntax',
    at,
    `The brace "{" at position ${at} does not start {n}, {n,} or {n,m}; write "\\{" for a literal brace.`,
  );

const invertedBounds = (text: string, at: number): PatternProblem =>
  patternProblem(
    'quantifier.order',
    at,
    `The repetition "${text}" at position ${at} has a lower bound above its upper bound.`,
  );
