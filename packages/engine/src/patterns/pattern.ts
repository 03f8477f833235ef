import { failure, type Outcome, success } from '../outcome.ts';
import { parseClass, unfinishedEscape } from './pattern-class.ts';
import {
  isPrintable,
  isPunctuation,
  type PatternProblem,
  patternLimits,
  patternProblem,
  refused,
  refusedEscape,
  refusedGroup,
  refusedLiteral,
  tooDeep,
  tooLong,
  tooManyGroups,
  tooManyRepetitions,
  tooManyStates,
} from './pattern-problems.ts';
import { parseQuantifier, type Quantifier, startsQuantifier } from './pattern-quantifier.ts';
import {
  type Assertion,
  anyNode,
  choiceNode,
  classEscape,
  literalNode,
  type PatternNode,
  sequenceNode,
} from './pattern-tree.ts';

/** A pattern in the common subset of RE2, PCRE2 and Go syntax. */
export interface ParsedPattern {
  readonly source: string;
  /** The syntax tree, from which matchers and analyses are built. */
  readonly tree: PatternNode;
  /** Number of capturing groups: the highest n of `$n` in a replacement. */
  readonly captureGroups: number;
  /** Size of the automaton with counted repetitions expanded. */
  readonly states: number;
}

/** Parser state: the position and the counts so far. */
interface Reader {
  readonly source: string;
  at: number;
  captureGroups: number;
}

interface Piece {
  readonly node: PatternNode;
  readonly states: number;
  /** The largest product of nested counted repetitions. */
  readonly repetitions: number;
}

type ParsedPiece = Outcome<Piece, PatternProblem>;

/** `(*` and a letter starts a control verb; otherwise the star just has nothing to repeat. */
const specialGroup = /^\((?:\?|\*[A-Za-z:])/;

/**
 * Parses a pattern in one pass and returns the first problem. Accepted patterns compile in JavaScript, RE2, PCRE2 and
 * Go.
 */
export function parsePattern(source: string): Outcome<ParsedPattern, PatternProblem> {
  if (source === '') return failure(patternProblem('empty', 0, 'The pattern is empty.'));
  if (source.length > patternLimits.length) return failure(tooLong());
  const reader: Reader = { source, at: 0, captureGroups: 0 };
  const whole = parseAlternatives(reader, 0);
  if (!whole.ok) return whole;
  const { node, states, repetitions } = whole.value;
  if (reader.at < source.length) return failure(unopened(reader.at));
  if (states > patternLimits.states) return failure(tooManyStates(states));
  if (repetitions > patternLimits.repetitions) return failure(tooManyRepetitions(repetitions));
  return success({ source, tree: node, captureGroups: reader.captureGroups, states });
}

function parseAlternatives(reader: Reader, depth: number): ParsedPiece {
  const branches: Piece[] = [];
  for (;;) {
    const branch = parseBranch(reader, depth);
    if (!branch.ok) return branch;
    branches.push(branch.value);
    if (reader.source[reader.at] !== '|') break;
    reader.at += 1;
  }
  const total = sum(branches);
  return success({ ...total, states: total.states + branches.length - 1, node: choiceNode(nodesOf(branches)) });
}

function parseBranch(reader: Reader, depth: number): ParsedPiece {
  const pieces: Piece[] = [];
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at))) {
    const piece = parsePiece(reader, depth);
    if (!piece.ok) return piece;
    pieces.push(piece.value);
  }
  return success({ ...sum(pieces), node: sequenceNode(nodesOf(pieces)) });
}

function parsePiece(reader: Reader, depth: number): ParsedPiece {
  const start = reader.at;
  const atom = parseAtom(reader, depth);
  if (!atom.ok || !startsQuantifier(reader.source, reader.at)) return atom;
  const quantifier = parseQuantifier(reader.source, reader.at);
  if (!quantifier.ok) return quantifier;
  const written = reader.source.slice(start, reader.at);
  if (anchors.has(written)) return failure(quantifiedAnchor(written, reader.at));
  reader.at = quantifier.value.end;
  return success(repeated(atom.value, quantifier.value));
}

function parseAtom(reader: Reader, depth: number): ParsedPiece {
  const { source, at } = reader;
  const character = source.charAt(at);
  if (character === '(') return parseGroup(reader, depth);
  if (character === '\\') return parseEscape(reader);
  if (character === '[') {
    const parsed = parseClass(source, at);
    return parsed.ok ? single(reader, parsed.value.end, parsed.value.node) : parsed;
  }
  if (startsQuantifier(source, at)) return quantifiedNothing(source, at);
  if (!isPrintable(character)) return failure(refusedLiteral(source, at));
  return single(reader, at + 1, anchorNode(character) ?? (character === '.' ? anyNode : literalNode(character)));
}

function parseGroup(reader: Reader, depth: number): ParsedPiece {
  const start = reader.at;
  const opener = reader.source.slice(start, start + 4);
  const captures = !opener.startsWith('(?:');
  const problem = captures ? captureProblem(reader, opener, depth) : depthProblem(start, depth);
  if (problem !== undefined) return failure(problem);
  reader.captureGroups += captures ? 1 : 0;
  const index = reader.captureGroups;
  reader.at += captures ? 1 : 3;
  const body = parseAlternatives(reader, depth + 1);
  if (!body.ok) return body;
  if (reader.source[reader.at] !== ')') return failure(unclosed(start));
  reader.at += 1;
  if (!captures) return body;
  const { node, states, repetitions } = body.value;
  return success({ node: { kind: 'group', index, body: node }, states: states + 2, repetitions });
}

function captureProblem({ at, captureGroups }: Reader, opener: string, depth: number): PatternProblem | undefined {
  if (specialGroup.test(opener)) return refusedGroup(opener, at);
  const isOneTooMany = captureGroups === patternLimits.captureGroups;
  return depthProblem(at, depth) ?? (isOneTooMany ? tooManyGroups(at) : undefined);
}

const depthProblem = (at: number, depth: number): PatternProblem | undefined =>
  depth === patternLimits.depth ? tooDeep(at) : undefined;

function parseEscape(reader: Reader): ParsedPiece {
  const { source, at } = reader;
  const character = source.charAt(at + 1);
  if (character === '') return failure(unfinishedEscape(at));
  const node = anchorNode(`\\${character}`) ?? classEscape(character);
  if (node !== undefined) return single(reader, at + 2, node);
  if (isPunctuation(character)) return single(reader, at + 2, literalNode(character));
  return failure(isPrintable(character) ? refusedEscape(character, at) : refusedLiteral(source, at + 1));
}

const anchors: ReadonlyMap<string, Assertion> = new Map([
  ['^', 'start'],
  ['$', 'end'],
  ['\\b', 'wordBoundary'],
  ['\\B', 'noWordBoundary'],
]);

function anchorNode(written: string): PatternNode | undefined {
  const at = anchors.get(written);
  return at === undefined ? undefined : { kind: 'assertion', at };
}

function single(reader: Reader, to: number, node: PatternNode): ParsedPiece {
  reader.at = to;
  return success({ node, states: 1, repetitions: 1 });
}

const nodesOf = (pieces: readonly Piece[]): readonly PatternNode[] => pieces.map(({ node }) => node);

const sum = (pieces: readonly Piece[]): Omit<Piece, 'node'> => ({
  states: pieces.reduce((total, { states }) => total + states, 0),
  repetitions: pieces.reduce((most, { repetitions }) => Math.max(most, repetitions), 1),
});

/** The expanded piece: `x{2,4}` is `xxx?x?`, `x{2,}` is `xx+`. */
function repeated({ node: body, states, repetitions }: Piece, { min, max, counted, greedy }: Quantifier): Piece {
  const node: PatternNode = { kind: 'repetition', body, min, max, greedy };
  if (!counted) return { node, states: states + 1, repetitions };
  const optional = max === Number.POSITIVE_INFINITY ? unbounded(states, min) : (max - min) * (states + 1);
  const times = max === Number.POSITIVE_INFINITY ? min : max;
  return {
    node,
    states: Math.min(min * states + optional, Number.MAX_SAFE_INTEGER),
    repetitions: Math.min(repetitions * Math.max(times, 1), Number.MAX_SAFE_INTEGER),
  };
}

const unbounded = (states: number, min: number): number => (min === 0 ? states + 1 : 1);

/** A quantifier without a piece, or a brace that does not start one. */
function quantifiedNothing(source: string, at: number): Outcome<never, PatternProblem> {
  const quantifier = parseQuantifier(source, at);
  if (quantifier.ok) {
    const text = source.slice(at, quantifier.value.end);
    const message = `The quantifier "${text}" at position ${at} repeats nothing.`;
    return failure(patternProblem('quantifier.nothing', at, message));
  }
  if (quantifier.error.code === 'quantifier.syntax') return quantifier;
  const name = 'Without anything to repeat, the quantifier';
  return failure(refused('quantifier.nothing', name, source.charAt(at), at));
}

const quantifiedAnchor = (text: string, at: number): PatternProblem =>
  patternProblem('quantifier.anchor', at, `The quantifier at position ${at} cannot repeat the anchor "${text}".`);

const unopened = (at: number): PatternProblem =>
  patternProblem('group.unopened', at, `The parenthesis ")" at position ${at} closes no group.`);

const unclosed = (at: number): PatternProblem =>
  patternProblem('group.unclosed', at, `The group "(" at position ${at} is not closed.`);
