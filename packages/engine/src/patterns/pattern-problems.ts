/** Stable codes for everything the pattern dialect rejects; violation codes end in them. */
export type PatternProblemCode =
  | 'atomicGroup'
  | 'backreference'
  | 'branchReset'
  | 'callout'
  | 'class.empty'
  | 'class.escape'
  | 'class.hyphen'
  | 'class.range'
  | 'class.unclosed'
  | 'comment'
  | 'conditional'
  | 'control'
  | 'empty'
  | 'escape.anchor'
  | 'escape.byte'
  | 'escape.codePoint'
  | 'escape.control'
  | 'escape.grapheme'
  | 'escape.keep'
  | 'escape.newline'
  | 'escape.property'
  | 'escape.quote'
  | 'escape.unfinished'
  | 'escape.unknown'
  | 'group.depth'
  | 'group.tooMany'
  | 'group.unclosed'
  | 'group.unknown'
  | 'group.unopened'
  | 'inlineFlags'
  | 'lookaround'
  | 'namedGroup'
  | 'nonAscii'
  | 'posixClass'
  | 'possessive'
  | 'quantifier.anchor'
  | 'quantifier.bound'
  | 'quantifier.nested'
  | 'quantifier.nothing'
  | 'quantifier.order'
  | 'quantifier.repeated'
  | 'quantifier.syntax'
  | 'recursion'
  | 'states'
  | 'tooLong'
  | 'verb';

/** The first problem of a pattern. */
export interface PatternProblem {
  readonly code: PatternProblemCode;
  /** 0-based, in UTF-16 code units. */
  readonly position: number;
  /** For people; names the construct and its position. */
  readonly message: string;
}

/** Creates a problem. */
export const patternProblem = (code: PatternProblemCode, position: number, message: string): PatternProblem => ({
  code,
  position,
  message,
});

/** A construct that other dialects support and this one does not. `spelling` is its beginning in the pattern. */
export const refused = (code: PatternProblemCode, name: string, spelling: string, position: number): PatternProblem =>
  patternProblem(code, position, `${name} "${spelling}" at position ${position} is not supported.`);

/** Longer spellings precede their prefixes. */
const groupOpeners: readonly (readonly [spelling: string, code: PatternProblemCode, name: string])[] = [
  ['(?=', 'lookaround', 'Lookahead'],
  ['(?!', 'lookaround', 'Negative lookahead'],
  ['(?<=', 'lookaround', 'Lookbehind'],
  ['(?<!', 'lookaround', 'Negative lookbehind'],
  ['(?<', 'namedGroup', 'The named group'],
  ['(?P<', 'namedGroup', 'The named group'],
  ["(?'", 'namedGroup', 'The named group'],
  ['(?P=', 'backreference', 'The backreference'],
  ['(?P>', 'recursion', 'Recursion'],
  ['(?&', 'recursion', 'Recursion'],
  ['(?R', 'recursion', 'Recursion'],
  ['(?>', 'atomicGroup', 'The atomic group'],
  ['(?(', 'conditional', 'The conditional'],
  ['(?|', 'branchReset', 'The branch reset'],
  ['(?#', 'comment', 'The comment'],
  ['(?C', 'callout', 'The callout'],
  ['(*', 'verb', 'The control verb'],
];
const numberedRecursion = /^\(\?[+-]?[0-9]/;
const inlineFlags = /^\(\?[-^A-Za-z]/;

/** The problem of a group that starts with `opener`, its first few characters. */
export function refusedGroup(opener: string, position: number): PatternProblem {
  const opening = groupOpeners.find(([spelling]) => opener.startsWith(spelling));
  if (opening !== undefined) return refused(opening[1], opening[2], opening[0], position);
  const numbered = numberedRecursion.exec(opener);
  if (numbered !== null) return refused('recursion', 'Recursion', numbered[0], position);
  const flags = inlineFlags.exec(opener);
  if (flags !== null) return refused('inlineFlags', 'The inline flag', flags[0], position);
  return patternProblem('group.unknown', position, `The group "(?" at position ${position} is of an unknown kind.`);
}

/** Letters and digits after a backslash, except those of the dialect; anything else is unknown in every dialect. */
const escapes: readonly (readonly [characters: string, code: PatternProblemCode, name: string])[] = [
  ['123456789kg', 'backreference', 'The backreference'],
  ['AzZG', 'escape.anchor', 'The anchor'],
  ['C', 'escape.byte', 'The single byte'],
  ['K', 'escape.keep', 'The match reset'],
  ['R', 'escape.newline', 'The line break class'],
  ['X', 'escape.grapheme', 'The grapheme cluster'],
  ['QE', 'escape.quote', 'The quotation'],
  ['pP', 'escape.property', 'The Unicode property'],
  ['0xuUoNc', 'escape.codePoint', 'The character number'],
  ['abefnrtv', 'escape.control', 'The control character'],
];

/** The problem of an escape: a backslash and `character`. */
export function refusedEscape(character: string, position: number): PatternProblem {
  const [, code, name] = escapes.find(([characters]) => characters.includes(character)) ?? [
    '',
    'escape.unknown' as const,
    'The escape',
  ];
  return refused(code, name, `\\${character}`, position);
}

/**
 * The problem of a literal that is not printable ASCII: patterns match bytes, and dialects agree on nothing beyond
 * ASCII.
 */
export function refusedLiteral(source: string, position: number): PatternProblem {
  const codePoint = source.codePointAt(position) ?? 0;
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return codePoint < 0x80
    ? patternProblem('control', position, `The control character ${name} at position ${position} is not supported.`)
    : patternProblem('nonAscii', position, `The character ${name} at position ${position} is not ASCII.`);
}

const printable = /^[ -~]$/;
const alphanumeric = /^[0-9A-Za-z]$/;

/** Whether the character is printable ASCII, including space. */
export const isPrintable = (character: string): boolean => printable.test(character);

/** Whether a backslash before the character just makes it literal, in every dialect. */
export const isPunctuation = (character: string): boolean => isPrintable(character) && !alphanumeric.test(character);

/**
 * Limits of a pattern. `length` is in characters. `captureGroups` counts capturing groups, `depth` both kinds.
 * `repetitions` limits the bounds of counted repetitions and the product of nested ones; RE2 rejects more. States: one
 * per character, class or assertion, one more per choice (`|`, `*`, `+`, `?` and each optional copy of a counted
 * repetition), and two per capturing group.
 */
export const patternLimits = { length: 1024, captureGroups: 20, depth: 20, repetitions: 1000, states: 5000 } as const;

/** The pattern is too long; the position is that of the first excess character. */
export const tooLong = (): PatternProblem =>
  patternProblem('tooLong', patternLimits.length, `A pattern has at most ${patternLimits.length} characters.`);

/** The group at the position is nested too deeply. */
export const tooDeep = (at: number): PatternProblem =>
  patternProblem('group.depth', at, `The group at position ${at} is nested deeper than ${patternLimits.depth} levels.`);

/** The group at the position exceeds the number of capturing groups. */
export const tooManyGroups = (at: number): PatternProblem =>
  patternProblem(
    'group.tooMany',
    at,
    `The group at position ${at} is one more than the ${patternLimits.captureGroups} allowed; "(?:" does not count.`,
  );

/** A bound of the repetition at the position exceeds the limit. */
export const tooManyTimes = (text: string, at: number): PatternProblem =>
  patternProblem(
    'quantifier.bound',
    at,
    `The repetition "${text}" at position ${at} has a bound above ${patternLimits.repetitions}.`,
  );

/** The product of nested repetitions exceeds the limit. */
export const tooManyRepetitions = (measured: number): PatternProblem =>
  patternProblem(
    'quantifier.nested',
    0,
    `Nested repetitions multiply to ${measured}; at most ${patternLimits.repetitions} are allowed.`,
  );

/** The automaton is too large. */
export const tooManyStates = (measured: number): PatternProblem =>
  patternProblem(
    'states',
    0,
    `The pattern expands to ${measured} states; at most ${patternLimits.states} are allowed.`,
  );
