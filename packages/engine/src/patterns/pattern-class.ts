import { failure, type Outcome, success } from '../outcome.ts';
import { type ByteSet, oneByte, unionOf } from './byte-set.ts';
import {
  isPrintable,
  isPunctuation,
  type PatternProblem,
  patternProblem,
  refused,
  refusedEscape,
  refusedLiteral,
} from './pattern-problems.ts';
import { type BytesNode, bytesOf, classEscape } from './pattern-tree.ts';

/** A part of a class and the position after it. */
interface Item {
  readonly end: number;
  readonly bytes: ByteSet;
}

interface Member extends Item {
  /** Character code; absent for a class such as `\d`. */
  readonly character?: number;
}

/**
 * Parses the character class whose bracket is at `start`, up to the position after it. Classes that dialects interpret differently (`[]a]`,
 * `[\d-z]`, `[a-b-c]`, `[[:alpha:]]`, also without the outer brackets) are rejected.
 */
export function parseClass(
  source: string,
  start: number,
): Outcome<{ readonly node: BytesNode; readonly end: number }, PatternProblem> {
  const negated = source[start + 1] === '^';
  const first = negated ? start + 2 : start + 1;
  if (source[first] === ']') return failure(emptyClass(first));
  if (posixClass.test(source.slice(start))) return failure(posixClassAt(source, start));
  const items: ByteSet[] = [];
  let at = first;
  while (at < source.length) {
    if (source[at] === ']') {
      return success({ node: { kind: 'bytes', members: unionOf(items), negated }, end: at + 1 });
    }
    const item = parseItem(source, at, first);
    if (!item.ok) return item;
    items.push(item.value.bytes);
    at = item.value.end;
  }
  return failure(patternProblem('class.unclosed', start, `The class "[" at position ${start} is not closed.`));
}

/** What other dialects take for a class of its name, or refuse. */
const posixClass = /^\[([:.=])\^?[a-z]+\1\]/i;
const posixClassAt = (source: string, at: number) =>
  refused('posixClass', 'The POSIX class', source.slice(at, at + 2), at);

/** One character, one escape, or a range of characters. */
function parseItem(source: string, at: number, first: number): Outcome<Item, PatternProblem> {
  const isEdge = at === first || (source[at + 1] ?? ']') === ']';
  if (source[at] === '-' && !isEdge) return failure(strayHyphen(at));
  const low = parseMember(source, at);
  if (!low.ok) return low;
  const { end } = low.value;
  const isRange = source[end] === '-' && end + 1 < source.length && source[end + 1] !== ']';
  return isRange ? parseRange(source, at, low.value) : low;
}

function parseRange(source: string, at: number, low: Member): Outcome<Item, PatternProblem> {
  const hyphen = low.end;
  if (source[at] === '-' || source[hyphen + 1] === '-') return failure(strayHyphen(hyphen));
  const parsed = parseMember(source, hyphen + 1);
  if (!parsed.ok) return parsed;
  const { character: last, end } = parsed.value;
  if (low.character === undefined || last === undefined) return failure(strayHyphen(hyphen));
  return low.character <= last
    ? success({ end, bytes: [low.character, last] })
    : failure(invertedRange(source.slice(at, end), at));
}

function parseMember(source: string, at: number): Outcome<Member, PatternProblem> {
  const character = source.charAt(at);
  if (character === '\\') return parseEscape(source, at);
  if (character === '[' && ':.='.includes(source[at + 1] ?? ' ')) {
    return failure(posixClassAt(source, at));
  }
  if (!isPrintable(character)) return failure(refusedLiteral(source, at));
  return success(single(character, at + 1));
}

function parseEscape(source: string, at: number): Outcome<Member, PatternProblem> {
  const character = source.charAt(at + 1);
  if (character === '') return failure(unfinishedEscape(at));
  const escaped = classEscape(character);
  if (escaped !== undefined) return success({ end: at + 2, bytes: bytesOf(escaped, false) });
  if (isPunctuation(character)) return success(single(character, at + 2));
  if (character === 'b' || character === 'B') {
    return failure(refused('class.escape', 'In a class, the escape', `\\${character}`, at));
  }
  return failure(isPrintable(character) ? refusedEscape(character, at) : refusedLiteral(source, at + 1));
}

const single = (character: string, end: number): Member => {
  const code = character.charCodeAt(0);
  return { end, bytes: oneByte(code), character: code };
};

/** A backslash at the end of the pattern. */
export const unfinishedEscape = (at: number): PatternProblem =>
  patternProblem('escape.unfinished', at, `The backslash at position ${at} escapes nothing.`);

const emptyClass = (at: number): PatternProblem =>
  patternProblem('class.empty', at, `The class ending at position ${at} is empty; write "\\]" for a literal bracket.`);

const strayHyphen = (at: number): PatternProblem =>
  patternProblem(
    'class.hyphen',
    at,
    `The hyphen "-" at position ${at} does not join two characters; write "\\-" for a literal hyphen.`,
  );

const invertedRange = (range: string, at: number): PatternProblem =>
  patternProblem('class.range', at, `The range "${range}" at position ${at} ends before it starts.`);
