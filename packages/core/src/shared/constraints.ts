import { z } from 'zod';
import { coded } from './parse.ts';
import { codePoints } from './text.ts';

/** One thing a value must fulfil, and what is said when it does not. */
export interface Constraint<T> {
  readonly holds: (value: T) => boolean;
  readonly code: string;
  readonly message: string;
}

/**
 * A zod check that reports the first broken constraint only: later ones may rely on earlier ones, so a length is
 * always known to be small before a pattern runs.
 */
export const firstBroken =
  <T>(...constraints: readonly Constraint<T>[]) =>
  ({ value, issues }: z.core.ParsePayload<T>): void => {
    const broken = constraints.find(({ holds }) => !holds(value));
    if (broken) issues.push(issueAt([], value, broken));
  };

/** An issue for a custom check that keeps zod going, so that one answer lists what is wrong elsewhere as well. */
export const issueAt = (
  path: PropertyKey[],
  input: unknown,
  { code, message }: { readonly code: string; readonly message: string },
) => ({ code: 'custom' as const, path, input, continue: true, ...coded(code, message) });

/** An integer in a closed interval; anything but an integer has the wrong type. */
export const integerBetween = (minimum: number, maximum: number) =>
  z
    .number()
    .check(
      firstBroken<number>(
        { holds: Number.isInteger, code: 'member.type', message: 'This value should be an integer.' },
        {
          holds: (value) => value >= minimum && value <= maximum,
          code: 'settings.range',
          message: `This value should be between ${minimum} and ${maximum}.`,
        },
      ),
    )
    .meta({ type: 'integer', minimum, maximum });

/** From one to so many code points, as the first constraints on a text. */
const lengthUpTo = (maximum: number): readonly Constraint<string>[] => [
  { holds: (value) => value !== '', code: 'text.tooShort', message: 'This value should have at least 1 character.' },
  {
    holds: (value) => codePoints(value) <= maximum,
    code: 'text.tooLong',
    message: `This value should have at most ${maximum} characters.`,
  },
];

/** What a short text looks like. */
export interface PatternedText {
  /** At most so many code points. */
  readonly maxLength: number;
  /** Runs in linear time, on texts within the limits only. */
  readonly pattern: RegExp;
  readonly code: string;
  readonly message: string;
  /** What must hold besides; tried after the length and before the pattern. */
  readonly also?: readonly Constraint<string>[];
}

/** A short text of a given syntax, never empty, kept exactly as written. */
export const patternedText = ({ maxLength, pattern, code, message, also = [] }: PatternedText) =>
  z
    .string()
    .check(
      firstBroken(
        ...lengthUpTo(maxLength),
        {
          holds: (value) => value.isWellFormed(),
          code: 'text.encoding',
          message: 'This value contains a lone surrogate.',
        },
        ...also,
        { holds: (value) => pattern.test(value), code, message },
      ),
    )
    .meta({ minLength: 1, maxLength, pattern: pattern.source });

/** What a list looks like, and which of its entries are the same. */
export interface ListBounds<T> {
  /** At most so many entries. */
  readonly maxItems: number;
  /** Entries with the same key repeat each other. */
  readonly key: (entry: T) => string;
  /** Where in the entry a repetition is reported; the entry itself unless given. */
  readonly at?: readonly string[];
}

/** A list without repetitions, in the order written. */
export const uniqueList = <S extends z.ZodType>(
  entry: S,
  { maxItems, key, at = [] }: ListBounds<z.output<S>>,
): z.ZodType<readonly z.output<S>[], readonly z.input<S>[]> =>
  z
    .array(entry)
    .max(maxItems)
    .check(({ value, issues }) => {
      for (const index of repetitions(value.map(key))) issues.push(issueAt([index, ...at], value[index], repeated));
    })
    .meta({ uniqueItems: true });

const repeated = { code: 'list.duplicate', message: 'This entry repeats an earlier one.' };

/** The places of keys that stood in the list before. */
export function repetitions(keys: readonly string[]): readonly number[] {
  const seen = new Set<string>();
  return keys.flatMap((key, index) => {
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}

/** The key of entries that are compared exactly. */
export const asWritten = (entry: string): string => entry;

/** The key of entries that are compared ignoring case. */
export const ignoringCase = (entry: string): string => entry.toLowerCase();
