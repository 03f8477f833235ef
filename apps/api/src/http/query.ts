import { coded, type InvalidInput, invalidInput, parse, text, violation } from '@zonewright/core';
import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { HttpError } from './problems.ts';

type Parameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Reads query parameters by a schema. `name[]` and `name[0]` are entries of the list `name[]`; everything else has
 * one value, and a repeated one is refused. Parameters the schema does not name are ignored.
 */
export function readQuery<S extends z.ZodType>(
  schema: S,
  querystring: string,
): Result<z.output<S>, HttpError | InvalidInput> {
  return parametersIn(querystring)
    .andThen((parameters) => parse(schema, parameters))
    .mapErr(({ violations }): HttpError | InvalidInput => {
      const malformed = violations.filter(({ code }) => code !== 'value.choice');
      return malformed.length > 0 ? { type: 'InvalidQuery', violations: malformed } : invalidInput(violations);
    });
}

function parametersIn(querystring: string): Result<Parameters, InvalidInput> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    const key = name.replace(/\[\d{0,4}\]$/, '[]');
    lists.set(key, [...(lists.get(key) ?? []), value]);
  }
  const repeated = [...lists].filter(([name, values]) => !name.endsWith('[]') && values.length > 1);
  if (repeated.length > 0) {
    return err(
      invalidInput(
        repeated.map(([name]) => violation(name, 'query.repeated', 'This parameter may be given once only.')),
      ),
    );
  }
  return ok(
    Object.fromEntries([...lists].map(([name, values]) => [name, name.endsWith('[]') ? values : (values[0] ?? '')])),
  );
}

/** An integer in a query string; programs are told that it is a number. */
const integer = (min: number, max: number) =>
  z
    .string()
    .refine((value) => /^-?\d{1,15}$/.test(value), coded('query.integer', 'This parameter should be an integer.'))
    .transform(Number)
    .refine((value) => value >= min, coded('number.range', `This parameter should be at least ${min}.`))
    .refine((value) => value <= max, coded('number.range', `This parameter should be at most ${max}.`))
    .meta({ type: 'integer', minimum: min, maximum: max });

const longestSearch = 255;

/** Text to search for; empty text finds everything. */
export const searchText = z
  .string()
  .pipe(text({ max: longestSearch }))
  .transform((value) => (value === '' ? undefined : value))
  .meta({ maxLength: longestSearch, description: 'Text to search for; empty text finds everything.' });

const greatestPage = 100;

/** `page` and `itemsPerPage` of every list (interface, "Limits"): more than 100 items mean 100. */
export const pageParameters = {
  page: integer(1, 1_000_000).default(1).meta({ description: 'Number of the page, from 1.' }),
  itemsPerPage: integer(0, Number.MAX_SAFE_INTEGER)
    .transform((count) => Math.min(count, greatestPage))
    .default(30)
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: greatestPage,
      description: `Greatest number of items in a page; more than ${greatestPage} mean ${greatestPage}.`,
    }),
} as const;

/** A moment, as RFC 3339 text. */
export const moment = z
  .string()
  .refine(
    (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
    coded('query.moment', 'This parameter should be a timestamp such as 2026-01-15T09:30:00.000Z.'),
  )
  .transform((value) => new Date(value))
  .meta({ format: 'date-time', description: 'A timestamp with an offset (RFC 3339).' });

/** The id of an organization that a list is narrowed to. */
export const organizationFilter = integer(1, 2_147_483_647).meta({
  description: 'Only of the organization with this id.',
});

/** For routes that read no query parameter. */
export const noParameters = z.object({});
