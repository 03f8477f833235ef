/** Stable names of everything the pattern dialect refuses; codes of violations end in them. */
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

/** The first thing in a pattern that the dialect refuses. */
export interface PatternProblem {
  readonly code: PatternProblemCode;
  /** 0-based, in UTF-16 code units. */
  readonly position: number;
  /** For people; names the construct and its position. */
  readonly message: string;
}

/** The only way to make a problem. */
export const patternProblem = (code: PatternProblemCode, position: number, message: string): PatternProblem => ({
  code,
  position,
  message,
});

interface Refused {
  readonly code: PatternProblemCode;
  readonly name: string;
}

/** A construct that other dialects have and this one does not. `spelling` is how it begins in the pattern. */
export const refused = ({ code, name }: Refused, spelling: string, position: number): PatternProblem =>
  patternProblem(code, position, `${name} "${spelling}" at position ${position} is not supported.`);

/** Longer spellings stand before the ones they begin with. */
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

/** The refused group that begins with `opener`, the few characters from its parenthesis on. */
export function refusedGroup(opener: string, position: number): PatternProblem {
  const known = groupOpeners.find(([spelling]) => opener.startsWith(spelling));
  if (known !== undefined) return refused({ code: known[1], name: known[2] }, known[0], position);
  const numbered = numberedRecursion.exec(opener);
  if (numbered !== null) return refused({ code: 'recursion', name: 'Recursion' }, numbered[0], position);
  const flags = inlineFlags.exec(opener);
  if (flags !== null) return refused({ code: 'inlineFlags', name: 'The inline flag' }, flags[0], position);
  return patternProblem('group.unknown', position, `The group "(?" at position ${position} is of an unknown kind.`);
}

/** Letters and digits behind a backslash, except those of the dialect itself; the rest is unknown everywhere. */
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

/** The refused escape made of a backslash and `character`. */
export function refusedEscape(character: string, position: number): PatternProblem {
  const [, code, name] = escapes.find(([characters]) => characters.includes(character)) ?? [
    '',
    'escape.unknown' as const,
    'The escape',
  ];
  return refused({ code, name }, `\\${character}`, position);
}

/** A literal that is not printable ASCII: patterns are compared with bytes, and no two dialects agree on more. */
export function refusedLiteral(source: string, position: number): PatternProblem {
  const codePoint = source.codePointAt(position) ?? 0;
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return codePoint < 0x80
    ? patternProblem('control', position, `The control character ${name} at position ${position} is not supported.`)
    : patternProblem('nonAscii', position, `The character ${name} at position ${position} is not ASCII.`);
}

const printable = /^[ -~]$/;
const alphanumeric = /^[0-9A-Za-z]$/;

/** Whether the one character is printable ASCII, the space included. */
export const isPrintable = (character: string): boolean => printable.test(character);

/** Whether a backslash before the one character only takes away a special meaning, in every dialect. */
export const isPunctuation = (character: string): boolean => isPrintable(character) && !alphanumeric.test(character);
