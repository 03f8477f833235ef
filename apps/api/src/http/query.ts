import type { HttpError } from '@zonewright/api-description';
import { coded, type InvalidInput, invalidInput, memoized, parse, text, violation } from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { encodedQuery, type Parameter } from '../resources/page-links.ts';

/** Room for a hundred header lines and the other parts of an evaluated request. */
const maxParameters = 120;

/** Bounds the parameters repeated in paging links; leaves room for 255 characters of any script. */
const maxEncodedLength = 4096;

/**
 * The parameters named by the schema, in order; others are ignored. `InvalidQuery` for more than 120 parameters of any
 * kind, or for parameters too long to repeat in paging links.
 */
export function parametersOf(
  schema: z.ZodObject,
  querystring: string,
  { isRepeated }: { readonly isRepeated: boolean },
): Result<readonly Parameter[], HttpError> {
  if (querystring === '') return ok([]);
  if (querystring.split('&', maxParameters + 1).length > maxParameters) {
    return err(invalidQuery('query.tooMany', `A query may have at most ${maxParameters} parameters.`));
  }
  const parameters = [...new URLSearchParams(querystring)]
    .map(([name, value]): Parameter => [name.replace(/\[\d{0,4}\]$/, '[]'), value])
    .filter(([name]) => Object.hasOwn(schema.shape, name));
  return isRepeated && encodedQuery(parameters).length > maxEncodedLength
    ? err(invalidQuery('query.tooLong', `The encoded parameters may have at most ${maxEncodedLength} characters.`))
    : ok(parameters);
}

const invalidQuery = (code: string, message: string): HttpError => ({
  type: 'InvalidQuery',
  violations: [violation('', code, message)],
});

/** A validated query. */
type Query = Result<z.output<z.ZodObject>, HttpError | InvalidInput>;

/** Validates parameters against a schema. `name[]` parameters are lists; any other parameter may occur only once. */
export const readQuery = (schema: z.ZodObject, parameters: readonly Parameter[]): Query =>
  parameters.length === 0 ? emptyQuery(schema) : validated(schema, parameters);

const emptyQuery = memoized((schema: z.ZodObject) => validated(schema, []));

const validated = (schema: z.ZodObject, parameters: readonly Parameter[]): Query =>
  grouped(parameters)
    .andThen((values) => parse(schema, values))
    .mapErr(({ violations }): HttpError | InvalidInput => {
      const malformed = violations.filter(({ code }) => code !== 'value.choice');
      return malformed.length > 0 ? { type: 'InvalidQuery', violations: malformed } : invalidInput(violations);
    });

function grouped(parameters: readonly Parameter[]): Result<Readonly<Record<string, unknown>>, InvalidInput> {
  const values = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [value]);
    else earlier.push(value);
  }
  const isList = (name: string) => name.endsWith('[]');
  const repeated = [...values].filter(([name, entries]) => !isList(name) && entries.length > 1);
  if (repeated.length > 0) {
    return err(
      invalidInput(
        repeated.map(([name]) => violation(name, 'query.repeated', 'This parameter can be given only once.')),
      ),
    );
  }
  return ok(Object.fromEntries([...values].map(([name, entries]) => [name, isList(name) ? entries : entries[0]])));
}

/** Combines a parameter with the list parameter of the same name, such as `tag` and `tag[]`; empty ones are left out. */
export const allOf = <T extends string>(one: T | undefined, others: readonly (T | undefined)[] = []): readonly T[] =>
  [one, ...others].filter((value) => value !== undefined);

/** An integer in a query string, described as an integer in the OpenAPI document. */
const integer = (min: number, max: number) =>
  z
    .string()
    .refine((value) => /^-?\d{1,15}$/.test(value), coded('query.integer', 'This parameter should be an integer.'))
    .transform(Number)
    .refine((value) => value >= min, coded('number.range', `This parameter should be at least ${min}.`))
    .refine((value) => value <= max, coded('number.range', `This parameter should be at most ${max}.`))
    .meta({ type: 'integer', minimum: min, maximum: max });

/** Any safe integer. */
export const anyInteger = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const maxWaitSeconds = 55;

/** How long to wait for something to happen; another value is a wrong value, not a malformed query. */
export const waitSeconds = z
  .string()
  .refine(
    (value) => /^\d{1,2}$/.test(value) && Number(value) <= maxWaitSeconds,
    coded('value.choice', `This parameter should be an integer from 0 to ${maxWaitSeconds}.`),
  )
  .transform(Number)
  .default(0)
  .meta({ type: 'integer', minimum: 0, maximum: maxWaitSeconds });

const maxSearchLength = 255;

/** Text to search for; an empty text matches everything. */
export const searchText = z
  .string()
  .pipe(text({ max: maxSearchLength }))
  .transform((value) => (value === '' ? undefined : value))
  .meta({ maxLength: maxSearchLength, description: 'Text to search for; an empty text matches everything.' });

const maxPage = 100;

/** `page` and `itemsPerPage` of every list (interface, "Limits"); values above 100 are treated as 100. */
export const pageParameters = {
  page: integer(1, 1_000_000).default(1).meta({ description: 'Page number, starting at 1.' }),
  itemsPerPage: integer(0, Number.MAX_SAFE_INTEGER)
    .transform((count) => Math.min(count, maxPage))
    .default(30)
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: maxPage,
      description: `Maximum number of items per page; values above ${maxPage} are treated as ${maxPage}.`,
    }),
} as const;

/** For lists without filters. */
export const PageQuery = z.object(pageParameters);

/** Sort direction for one member of a list. */
export const sorted = z
  .enum(['asc', 'desc', 'ASC', 'DESC'])
  .transform((value) => (value.toLowerCase() === 'asc' ? 'asc' : 'desc'))
  .optional()
  .meta({ description: 'Sort by this member.' });

/** The `order[…]` parameters of a query. They apply in the order of `keys`, whatever their order in the query. */
export const sortIn = <K extends string>(
  keys: readonly K[],
  query: { readonly [Name in `order[${K}]`]?: z.output<typeof sorted> },
) =>
  keys.flatMap((key) => {
    const direction = query[`order[${key}]`];
    return direction === undefined ? [] : [{ key, direction }];
  });

/** An RFC 3339 timestamp. */
export const moment = z
  .string()
  .refine(
    (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
    coded('query.moment', 'This parameter should be a timestamp such as 2026-01-15T09:30:00.000Z.'),
  )
  .transform((value) => new Date(value))
  .meta({ format: 'date-time', description: 'A timestamp with an offset (RFC 3339).' });

/** Restricts a list to one organization. */
export const organizationFilter = integer(1, 2_147_483_647).meta({
  description: 'Only items of the organization with this id.',
});

/** For routes without query parameters. */
export const noParameters = z.object({});
