import { z } from 'zod';
import { coded, sizeMessage } from './parse.ts';
import { codePoints } from './text.ts';

/** A constraint on a value, with its violation. */
export interface Constraint<T> {
  readonly holds: (value: T) => boolean;
  readonly code: string;
  readonly message: string;
}

/**
 * A zod check that reports only the first violated constraint, so later ones can rely on earlier ones: a length is
 * always known to be small before a pattern runs.
 */
export const firstBroken =
  <T>(...constraints: readonly Constraint<T>[]) =>
  ({ value, issues }: z.core.ParsePayload<T>): void => {
    const broken = constraints.find(({ holds }) => !holds(value));
    if (broken) issues.push(issueAt([], value, broken));
  };

/** A custom issue that does not abort zod, so that one response lists all problems. */
export const issueAt = (
  path: PropertyKey[],
  input: unknown,
  { code, message }: { readonly code: string; readonly message: string },
) => ({ code: 'custom' as const, path, input, continue: true, ...coded(code, message) });

/** An integer in a closed interval; a non-integer is a type error. */
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

/** One to `maximum` characters, by default code points; goes before other constraints on a text. */
export const lengthUpTo = (maximum: number, lengthOf = codePoints): readonly Constraint<string>[] => [
  { holds: (value) => value !== '', code: 'text.tooShort', message: sizeMessage('at least', 1, 'character') },
  {
    holds: (value) => lengthOf(value) <= maximum,
    code: 'text.tooLong',
    message: sizeMessage('at most', maximum, 'character'),
  },
];

/** Text that can be encoded: it has no lone surrogate. */
export const wellFormed: Constraint<string> = {
  holds: (value) => value.isWellFormed(),
  code: 'text.encoding',
  message: 'This value contains a lone surrogate.',
};

/** The syntax of a short text. */
export interface PatternedText {
  /** In code points. */
  readonly maxLength: number;
  /** Must run in linear time; only applied to texts within the length limit. */
  readonly pattern: RegExp;
  readonly code: string;
  readonly message: string;
  /** Further constraints, checked between length and pattern. */
  readonly also?: readonly Constraint<string>[];
}

/** A non-empty short text of a given syntax, kept as written. */
export const patternedText = ({ maxLength, pattern, code, message, also = [] }: PatternedText) =>
  z
    .string()
    .check(
      firstBroken(...lengthUpTo(maxLength), wellFormed, ...also, {
        holds: (value) => pattern.test(value),
        code,
        message,
      }),
    )
    .meta({ minLength: 1, maxLength, pattern: pattern.source });

/** The limits of a list, and which entries count as duplicates. */
export interface ListBounds<T> {
  readonly maxItems: number;
  /** Entries with the same key are duplicates. */
  readonly key: (entry: T) => string;
  /** The member at which a duplicate is reported; by default the entry itself. */
  readonly at?: readonly string[];
}

/** A list without duplicates, in the order written. */
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

/** The indexes of keys that occurred before. */
export function repetitions(keys: readonly string[]): readonly number[] {
  const seen = new Set<string>();
  return keys.flatMap((key, index) => {
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}

/** Compares entries exactly. */
export const asWritten = (entry: string): string => entry;

/** Compares entries ignoring case. */
export const ignoringCase = (entry: string): string => entry.toLowerCase();
