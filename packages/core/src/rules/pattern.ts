import { err, ok, type Result } from 'neverthrow';
import { classEscapes, parseClass, unfinishedEscape } from './pattern-class.ts';
import { patternLimits, tooDeep, tooLong, tooManyGroups, tooManyRepetitions, tooManyStates } from './pattern-limits.ts';
import {
  isPrintable,
  isPunctuation,
  type PatternProblem,
  patternProblem,
  refused,
  refusedEscape,
  refusedGroup,
  refusedLiteral,
} from './pattern-problems.ts';
import { parseQuantifier, type Quantifier, startsQuantifier } from './pattern-quantifier.ts';

/** A pattern of the common subset of RE2, PCRE2 and Go syntax: it means the same everywhere and runs in linear time. */
export interface ParsedPattern {
  readonly source: string;
  /** Groups that capture, so the greatest n of `$n` in a replacement. */
  readonly captureGroups: number;
  /** Size of the automaton with counted repetitions multiplied out. */
  readonly states: number;
}

/** The position and what has been counted so far; the only thing that changes while parsing. */
interface Reader {
  readonly source: string;
  at: number;
  captureGroups: number;
}

interface Piece {
  readonly states: number;
  /** Product of the counted repetitions inside it, the greatest one. */
  readonly repetitions: number;
}

interface Atom extends Piece {
  readonly isAnchor?: boolean;
}

const nothing: Piece = { states: 0, repetitions: 1 };
const one: Piece = { states: 1, repetitions: 1 };
const anchor: Atom = { ...one, isAnchor: true };

/** Elsewhere `(*` and a letter begins a control verb; otherwise the star just has nothing to repeat. */
const specialGroup = /^\((?:\?|\*[A-Za-z:])/;

/**
 * Checks a pattern against the dialect, from left to right in one pass; the first problem is returned.
 * What it accepts compiles in JavaScript, RE2, PCRE2 and Go.
 */
export function parsePattern(source: string): Result<ParsedPattern, PatternProblem> {
  if (source === '') return err(patternProblem('empty', 0, 'The pattern is empty.'));
  if (source.length > patternLimits.length) return err(tooLong());
  const reader: Reader = { source, at: 0, captureGroups: 0 };
  return parseAlternatives(reader, 0).andThen(({ states, repetitions }) => {
    if (reader.at < source.length) return err(unopened(reader.at));
    if (states > patternLimits.states) return err(tooManyStates(states));
    if (repetitions > patternLimits.repetitions) return err(tooManyRepetitions(repetitions));
    return ok({ source, captureGroups: reader.captureGroups, states });
  });
}

function parseAlternatives(reader: Reader, depth: number): Result<Piece, PatternProblem> {
  let whole = nothing;
  for (;;) {
    const branch = parseBranch(reader, depth);
    if (branch.isErr()) return branch;
    whole = sum(whole, branch.value);
    if (reader.source[reader.at] !== '|') return ok(whole);
    reader.at += 1;
    whole = sum(whole, one);
  }
}

function parseBranch(reader: Reader, depth: number): Result<Piece, PatternProblem> {
  let branch = nothing;
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at))) {
    const piece = parsePiece(reader, depth);
    if (piece.isErr()) return piece;
    branch = sum(branch, piece.value);
  }
  return ok(branch);
}

function parsePiece(reader: Reader, depth: number): Result<Piece, PatternProblem> {
  const start = reader.at;
  return parseAtom(reader, depth).andThen((atom) => {
    if (!startsQuantifier(reader.source, reader.at)) return ok(atom);
    return parseQuantifier(reader.source, reader.at).andThen((quantifier) => {
      if (atom.isAnchor) return err(quantifiedAnchor(reader.source.slice(start, reader.at), reader.at));
      reader.at = quantifier.end;
      return ok(repeated(atom, quantifier));
    });
  });
}

function parseAtom(reader: Reader, depth: number): Result<Atom, PatternProblem> {
  const { source, at } = reader;
  const character = source.charAt(at);
  if (character === '(') return parseGroup(reader, depth);
  if (character === '[') return parseClass(source, at).map((end) => advance(reader, end, one));
  if (character === '\\') return parseEscape(reader);
  if (startsQuantifier(source, at)) return quantifiedNothing(source, at);
  if (!isPrintable(character)) return err(refusedLiteral(source, at));
  return ok(advance(reader, at + 1, character === '^' || character === '$' ? anchor : one));
}

function parseGroup(reader: Reader, depth: number): Result<Atom, PatternProblem> {
  const start = reader.at;
  const opener = reader.source.slice(start, start + 4);
  const captures = !opener.startsWith('(?:');
  if (captures && specialGroup.test(opener)) return err(refusedGroup(opener, start));
  if (depth === patternLimits.depth) return err(tooDeep(start));
  if (captures && reader.captureGroups === patternLimits.captureGroups) return err(tooManyGroups(start));
  reader.captureGroups += captures ? 1 : 0;
  reader.at += captures ? 1 : 3;
  return parseAlternatives(reader, depth + 1).andThen((body) => {
    if (reader.source[reader.at] !== ')') return err(unclosed(start));
    return ok(advance(reader, reader.at + 1, captures ? { ...body, states: body.states + 2 } : body));
  });
}

function parseEscape(reader: Reader): Result<Atom, PatternProblem> {
  const { source, at } = reader;
  const character = source.charAt(at + 1);
  if (character === '') return err(unfinishedEscape(at));
  if (character === 'b' || character === 'B') return ok(advance(reader, at + 2, anchor));
  if (classEscapes.includes(character) || isPunctuation(character)) return ok(advance(reader, at + 2, one));
  return err(isPrintable(character) ? refusedEscape(character, at) : refusedLiteral(source, at + 1));
}

function advance(reader: Reader, to: number, atom: Atom): Atom {
  reader.at = to;
  return atom;
}

const sum = (left: Piece, right: Piece): Piece => ({
  states: left.states + right.states,
  repetitions: Math.max(left.repetitions, right.repetitions),
});

/** The piece multiplied out: `x{2,4}` is `xxx?x?`, `x{2,}` is `xx+`. */
function repeated({ states, repetitions }: Piece, { min, max, counted }: Quantifier): Piece {
  if (!counted) return { states: states + 1, repetitions };
  const optional = max === Number.POSITIVE_INFINITY ? unbounded(states, min) : (max - min) * (states + 1);
  const times = max === Number.POSITIVE_INFINITY ? min : max;
  return {
    states: Math.min(min * states + optional, Number.MAX_SAFE_INTEGER),
    repetitions: Math.min(repetitions * Math.max(times, 1), Number.MAX_SAFE_INTEGER),
  };
}

const unbounded = (states: number, min: number): number => (min === 0 ? states + 1 : 1);

/** A quantifier with nothing before it; a brace that begins none is told apart. */
const quantifiedNothing = (source: string, at: number): Result<never, PatternProblem> =>
  parseQuantifier(source, at).match(
    ({ end }) =>
      err(
        patternProblem(
          'quantifier.nothing',
          at,
          `The quantifier "${source.slice(at, end)}" at position ${at} repeats nothing.`,
        ),
      ),
    (problem) =>
      err(
        problem.code === 'quantifier.syntax'
          ? problem
          : refused(
              { code: 'quantifier.nothing', name: 'Without anything to repeat, the quantifier' },
              source.charAt(at),
              at,
            ),
      ),
  );

const quantifiedAnchor = (text: string, at: number): PatternProblem =>
  patternProblem('quantifier.anchor', at, `The quantifier at position ${at} repeats the anchor "${text}".`);

const unopened = (at: number): PatternProblem =>
  patternProblem('group.unopened', at, `The parenthesis ")" at position ${at} closes no group.`);

const unclosed = (at: number): PatternProblem =>
  patternProblem('group.unclosed', at, `The group "(" at position ${at} is not closed.`);
