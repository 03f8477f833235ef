import { listEntries, parsePattern } from '@zonewright/engine';
import { err, ok, Result } from 'neverthrow';
import { resultOf } from '../../kernel/shared/parse.ts';
import { codePoints } from '../../kernel/shared/text.ts';

/** A problem of a target or a value; the violation code is `condition.` plus this `code`. */
export interface FormatProblem {
  readonly code: string;
  readonly message: string;
}

/** Validates a target or value and returns its canonical text. Idempotent: canonical text is its own canonical text. */
export type TextFormat = (written: string) => Result<string, FormatProblem>;

/** Maximum code points of a value compared as a whole, and of any other value or list entry. */
export const valueLimits = { whole: 4096, part: 1024 } as const;

/** Creates a problem. */
export const formatProblem = (code: string, message: string): FormatProblem => ({ code, message });

/** The operator needs a value. */
export const valueRequired = (): FormatProblem => formatProblem('value.required', 'This operator needs a value.');

/** Reports an empty value as missing, and any other one as malformed. */
export const malformedValue = (written: string, message: string): Result<never, FormatProblem> =>
  err(written === '' ? valueRequired() : formatProblem('value.syntax', message));

/** Free text of `min` to `max` code points, compared verbatim. */
export const freeText =
  ({ min, max }: { readonly min: 0 | 1; readonly max: number }): TextFormat =>
  (written) => {
    if (written.length < min) return err(valueRequired());
    return isLonger(written, max) ? err(tooLong(max)) : ok(written);
  };

/** Text of a fixed syntax; `fold` removes insignificant case. */
export const fixedText =
  (syntax: RegExp, message: string, { max, fold = (text) => text }: FixedTextRules): TextFormat =>
  (written) =>
    written.length <= max && syntax.test(written) ? ok(fold(written)) : malformedValue(written, message);

interface FixedTextRules {
  /** Length in ASCII characters, checked before the syntax. */
  readonly max: number;
  readonly fold?: (text: string) => string;
}

/** Folds to lower case; only for ASCII syntaxes. */
export const lowerCase = (text: string): string => text.toLowerCase();

/** Folds to upper case; only for ASCII syntaxes, since `ß` would become two letters. */
export const upperCase = (text: string): string => text.toUpperCase();

/** A regular expression in the engine's dialect. */
export const pattern: TextFormat = (written) => {
  if (written === '') return err(valueRequired());
  if (isLonger(written, valueLimits.part)) return err(tooLong(valueLimits.part));
  return resultOf(parsePattern(written))
    .map(({ source }) => source)
    .mapErr(({ code, message }) => formatProblem(`regex.${code}`, message));
};

/** How list entries are separated, and how many there may be. */
export interface ListFormat {
  /** Line feeds, and also commas if no entry can contain one. */
  readonly separator: RegExp;
  /** Maximum number of distinct entries. */
  readonly max: number;
}

/**
 * A list of `entry`: trimmed, without blank entries. The canonical text has one entry per line, sorted, without
 * duplicates.
 */
export const list =
  (entry: TextFormat, { separator, max }: ListFormat): TextFormat =>
  (written) => {
    const entries = listEntries(written, separator);
    if (entries.length === 0) return err(valueRequired());
    return Result.combine(entries.map((each, index) => entry(each).mapErr((problem) => inEntry(index + 1, problem))))
      .map((canonical) => [...new Set(canonical)].toSorted())
      .andThen((different) =>
        different.length > max ? err(tooManyEntries(different.length, max)) : ok(different.join('\n')),
      );
  };

/** No value at all, for operators that test presence. */
export const noValue: TextFormat = (written) => (written === '' ? ok('') : err(valueUnexpected()));

/** The operator tests presence only and takes no value. */
export const valueUnexpected = (): FormatProblem =>
  formatProblem('value.unexpected', 'This operator does not take a value; leave it out.');

/** Skips counting code points if the number of code units already decides. */
const isLonger = (written: string, max: number): boolean =>
  written.length > max && (written.length > 2 * max || codePoints(written) > max);

const tooLong = (max: number): FormatProblem =>
  formatProblem('value.tooLong', `This value should have at most ${max} characters.`);

const inEntry = (number: number, { code, message }: FormatProblem): FormatProblem =>
  formatProblem(code, `Entry ${number} of the list: ${message}`);

/** The list has too many distinct entries. */
export const tooManyEntries = (measured: number, max: number): FormatProblem =>
  formatProblem('list.tooLong', `This list has ${measured} different entries; at most ${max} are allowed.`);
