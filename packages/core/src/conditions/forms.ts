import { listEntries, parsePattern } from '@zonewright/engine';
import { err, ok, Result } from 'neverthrow';
import { resultOf } from '../shared/outcome.ts';
import { codePoints } from '../shared/text.ts';

/** What is wrong with a target or a value; violation codes are `condition.` and this `code`. */
export interface FormProblem {
  readonly code: string;
  readonly message: string;
}

/** Checks a target or value as written and gives its canonical text; the canonical text is its own canonical text. */
export type TextForm = (written: string) => Result<string, FormProblem>;

/** At most so many code points of a value that is compared as a whole, and of every other value or list entry. */
export const valueLimits = { whole: 4096, part: 1024 } as const;

/** The only way to make a problem. */
export const formProblem = (code: string, message: string): FormProblem => ({ code, message });

/** The operator compares with a value and got none. */
export const valueRequired = (): FormProblem => formProblem('value.required', 'This operator needs a value.');

/** An empty value is a missing one, anything else that does not fit is a wrong one. */
export const malformedValue = (written: string, message: string): Result<never, FormProblem> =>
  err(written === '' ? valueRequired() : formProblem('value.syntax', message));

/** Free text of `min` to `max` code points, compared as it is. */
export const freeText =
  ({ min, max }: { readonly min: 0 | 1; readonly max: number }): TextForm =>
  (written) => {
    if (written.length < min) return err(valueRequired());
    return isLonger(written, max) ? err(tooLong(max)) : ok(written);
  };

/** Text of a fixed syntax whose case, if it does not matter, is folded by `fold`. */
export const fixedText =
  (syntax: RegExp, message: string, { max, fold = (text) => text }: FixedTextRules): TextForm =>
  (written) =>
    written.length <= max && syntax.test(written) ? ok(fold(written)) : malformedValue(written, message);

interface FixedTextRules {
  /** Length in ASCII characters, checked before the syntax. */
  readonly max: number;
  readonly fold?: (text: string) => string;
}

/** Fold to lower case, for texts whose syntax allows only ASCII. */
export const lowerCase = (text: string): string => text.toLowerCase();

/** Fold to upper case, for texts whose syntax allows only ASCII: `ß` would become two letters. */
export const upperCase = (text: string): string => text.toUpperCase();

/** A regular expression of the engine's dialect. */
export const pattern: TextForm = (written) => {
  if (written === '') return err(valueRequired());
  if (isLonger(written, valueLimits.part)) return err(tooLong(valueLimits.part));
  return resultOf(parsePattern(written))
    .map(({ source }) => source)
    .mapErr(({ code, message }) => formProblem(`regex.${code}`, message));
};

/** What makes entries of a list equal, and how many there may be. */
export interface ListFormat {
  /** Entries are separated by line feeds, and by commas as well where no entry can hold one. */
  readonly separator: RegExp;
  /** At most so many different entries. */
  readonly max: number;
}

/** Entries in the form of `entry`, trimmed and without blanks; canonical is one entry a line, sorted, none twice. */
export const list =
  (entry: TextForm, { separator, max }: ListFormat): TextForm =>
  (written) => {
    const entries = listEntries(written, separator);
    if (entries.length === 0) return err(valueRequired());
    return Result.combine(entries.map((each, index) => entry(each).mapErr((problem) => inEntry(index + 1, problem))))
      .map((canonical) => [...new Set(canonical)].toSorted())
      .andThen((different) =>
        different.length > max ? err(tooManyEntries(different.length, max)) : ok(different.join('\n')),
      );
  };

/** The form of no value at all, for operators that look for presence only. */
export const noValue: TextForm = (written) => (written === '' ? ok('') : err(valueUnexpected()));

/** The operator looks for presence only and got a value. */
export const valueUnexpected = (): FormProblem =>
  formProblem('value.unexpected', 'This operator does not take a value; leave it out.');

/** Counting code points is left out where the number of code units already decides. */
const isLonger = (written: string, max: number): boolean =>
  written.length > max && (written.length > 2 * max || codePoints(written) > max);

const tooLong = (max: number): FormProblem =>
  formProblem('value.tooLong', `This value should have at most ${max} characters.`);

const inEntry = (number: number, { code, message }: FormProblem): FormProblem =>
  formProblem(code, `Entry ${number} of the list: ${message}`);

/** A list with more different entries than there may be. */
export const tooManyEntries = (measured: number, max: number): FormProblem =>
  formProblem('list.tooLong', `This list has ${measured} different entries; at most ${max} are allowed.`);
