import { checkPageSize, offsetOf, type Page, type PageRequest, type PageTooLarge } from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import type { Statement } from './statement.ts';

type Values = Readonly<Record<string, unknown>>;

/** Rows of a statement. A failure is a rejection, never an Err. */
export const many = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row[], never> =>
  ResultAsync.fromSafePromise(on.any<Row>(statement.prepared(values)));

/** The only row of a statement that always has one. */
export const one = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row, never> =>
  ResultAsync.fromSafePromise(on.one<Row>(statement.prepared(values)));

/** The only row, or undefined. */
export const maybe = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row | undefined, never> =>
  ResultAsync.fromSafePromise(on.oneOrNone<Row>(statement.prepared(values))).map((row) => row ?? undefined);

/** The only row, or the error for its absence. */
export const required = <Row, E>(
  on: Connection,
  statement: Statement,
  values: Values,
  absent: () => E,
): ResultAsync<Row, E> =>
  maybe<Row>(on, statement, values).andThen((row): Result<Row, E> => (row === undefined ? err(absent()) : ok(row)));

/** Runs a statement for its effect. */
export const run = (on: Connection, statement: Statement, values: Values): ResultAsync<void, never> =>
  ResultAsync.fromSafePromise(on.none(statement.prepared(values))).map(() => undefined);

/** Whether a row of a list means an empty page: it has no item, only what is known of the whole list. */
export const isEmpty = ({ id }: { readonly id: string | null }): boolean => id === null;

/** A part of a list, and how many rows the whole list has: the first statement takes `limit` and `offset`. */
export const pageOf = <Row>(
  on: Connection,
  { list, total }: { readonly list: Statement; readonly total: Statement },
  values: Values,
  page: PageRequest,
): ResultAsync<Page<Row>, never> =>
  many<Row>(on, list, { ...values, limit: page.itemsPerPage, offset: offsetOf(page) }).andThen((items) =>
    one<{ total: number }>(on, total, values).map(({ total: totalItems }) => ({ items, totalItems })),
  );

/** A row of a list that can be large, with the size of its text. */
export interface SizedRow {
  readonly bytes: number;
}

/**
 * The rows of a page that is not too large. If it is, the statement has kept their texts back: null where the type of
 * the row says text.
 */
export const withinPageSize = <Row extends SizedRow>(rows: readonly Row[]): Result<readonly Row[], PageTooLarge> =>
  checkPageSize(rows.map(({ bytes }) => bytes)).map(() => rows);
