import { err, ok, type Result } from 'neverthrow';
import {
  isPrintable,
  isPunctuation,
  type PatternProblem,
  patternProblem,
  refused,
  refusedEscape,
  refusedLiteral,
} from './pattern-problems.ts';

interface Member {
  /** Position behind the member. */
  readonly end: number;
  /** Character code; none for a class such as `\d`. */
  readonly character?: number;
}

/** Characters that stand for a class of characters behind a backslash. */
export const classEscapes = 'dDwWsS';

/**
 * Checks the character class whose bracket is at `start` and returns the position behind it.
 * Where dialects differ (`[]a]`, `[\d-z]`, `[a-b-c]`, `[[:alpha:]]`) the class is refused instead of guessed.
 */
export function parseClass(source: string, start: number): Result<number, PatternProblem> {
  const first = source[start + 1] === '^' ? start + 2 : start + 1;
  if (source[first] === ']') return err(emptyClass(first));
  let at = first;
  while (at < source.length) {
    if (source[at] === ']') return ok(at + 1);
    const end = parseItem(source, at, first);
    if (end.isErr()) return err(end.error);
    at = end.value;
  }
  return err(patternProblem('class.unclosed', start, `The class "[" at position ${start} is not closed.`));
}

/** One character, one escape, or a range of characters. */
function parseItem(source: string, at: number, first: number): Result<number, PatternProblem> {
  const isEdge = at === first || (source[at + 1] ?? ']') === ']';
  if (source[at] === '-' && !isEdge) return err(strayHyphen(at));
  return parseMember(source, at).andThen((low) => {
    const isRange = source[low.end] === '-' && low.end + 1 < source.length && source[low.end + 1] !== ']';
    return isRange ? parseRange(source, at, low) : ok(low.end);
  });
}

function parseRange(source: string, at: number, low: Member): Result<number, PatternProblem> {
  const hyphen = low.end;
  if (source[at] === '-' || source[hyphen + 1] === '-') return err(strayHyphen(hyphen));
  return parseMember(source, hyphen + 1).andThen((high) => {
    if (low.character === undefined || high.character === undefined) return err(strayHyphen(hyphen));
    return low.character <= high.character ? ok(high.end) : err(invertedRange(source.slice(at, high.end), at));
  });
}

function parseMember(source: string, at: number): Result<Member, PatternProblem> {
  const character = source.charAt(at);
  if (character === '\\') return parseEscape(source, at);
  if (character === '[' && ':.='.includes(source[at + 1] ?? ' ')) {
    return err(refused({ code: 'posixClass', name: 'The POSIX class' }, source.slice(at, at + 2), at));
  }
  if (!isPrintable(character)) return err(refusedLiteral(source, at));
  return ok({ end: at + 1, character: character.charCodeAt(0) });
}

function parseEscape(source: string, at: number): Result<Member, PatternProblem> {
  const character = source.charAt(at + 1);
  if (character === '') return err(unfinishedEscape(at));
  if (classEscapes.includes(character)) return ok({ end: at + 2 });
  if (isPunctuation(character)) return ok({ end: at + 2, character: character.charCodeAt(0) });
  if (character === 'b' || character === 'B') {
    return err(refused({ code: 'class.escape', name: 'In a class, the escape' }, `\\${character}`, at));
  }
  return err(isPrintable(character) ? refusedEscape(character, at) : refusedLiteral(source, at + 1));
}

/** A backslash with nothing behind it. */
export const unfinishedEscape = (at: number): PatternProblem =>
  patternProblem('escape.unfinished', at, `The backslash at position ${at} escapes nothing.`);

const emptyClass = (at: number): PatternProblem =>
  patternProblem('class.empty', at, `The class ending at position ${at} is empty; write "\\]" for the bracket itself.`);

const strayHyphen = (at: number): PatternProblem =>
  patternProblem(
    'class.hyphen',
    at,
    `The hyphen "-" at position ${at} joins no two characters; write "\\-" for the hyphen itself.`,
  );

const invertedRange = (range: string, at: number): PatternProblem =>
  patternProblem('class.range', at, `The range "${range}" at position ${at} ends before it starts.`);
