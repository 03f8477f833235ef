import { checkPageSize, offsetOf, type Page, type PageRequest, type PageTooLarge } from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Client } from 'pg';
import type { Connection } from './database.ts';
import { isPool, pooledRows } from './pooled-rows.ts';
import type { Statement } from './statement.ts';
import { timed } from './timed.ts';

type Values = Readonly<Record<string, unknown>>;

/** The rows of a statement. Failures are rejections, never Errs. */
export const many = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row[], never> =>
  ResultAsync.fromSafePromise(
    isPool(on) ? pooledRows<Row>(on, statement, values) : timed(on, () => on.any<Row>(statement.prepared(values))),
  );

/** The row of a statement that always returns exactly one. */
export const one = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row, never> =>
  ResultAsync.fromSafePromise(timed(on, () => on.one<Row>(statement.prepared(values))));

/** The row, or undefined. */
export const maybe = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row | undefined, never> =>
  many<Row>(on, statement, values).andThen((rows) => {
    if (rows.length > 1) throw new Error(`The statement returned several rows: ${statement.text}`);
    return ok(rows[0]);
  });

/** The row, or the given error if there is none. */
export const required = <Row, E>(
  on: Connection,
  statement: Statement,
  values: Values,
  absent: () => E,
): ResultAsync<Row, E> =>
  maybe<Row>(on, statement, values).andThen((row): Result<Row, E> => (row === undefined ? err(absent()) : ok(row)));

/** Runs a statement without a result. */
export const run = (on: Connection, statement: Statement, values: Values): ResultAsync<void, never> =>
  ResultAsync.fromSafePromise(timed(on, () => on.none(statement.prepared(values)))).map(() => undefined);

/** The rows of a statement on a separate connection, unnamed: a pooler may not keep prepared statements. */
export async function rowsOn<Row extends object>(
  client: Pick<Client, 'query'>,
  statement: Statement,
  values: Values = {},
): Promise<readonly Row[]> {
  const sent = statement.sent(values);
  return (await client.query<Row>(sent.text, [...(sent.values ?? [])])).rows;
}

/** Whether a row stands for an empty page: it has no item, only data of the whole list. */
export const isEmpty = ({ id }: { readonly id: string | null }): boolean => id === null;

/** A page of a list with the total number of rows; the first statement takes `limit` and `offset`. */
export const pageOf = <Row, Item = Row>(
  on: Connection,
  { list, total }: { readonly list: Statement; readonly total: Statement },
  values: Values,
  page: PageRequest,
  itemOf: (row: Row) => Item,
): ResultAsync<Page<Item>, never> =>
  many<Row>(on, list, { ...values, limit: page.itemsPerPage, offset: offsetOf(page) }).andThen((rows) =>
    one<{ total: number }>(on, total, values).map(({ total: totalItems }) => ({ items: rows.map(itemOf), totalItems })),
  );

/** For rows that are items as they are selected. */
export const asSelected = <Item>(row: Item): Item => row;

/** A row of a list that may be large, with the size of its text. */
export interface SizedRow {
  readonly bytes: number;
}

/**
 * The rows of a page, or an error if it is too large: then the statement omits the texts, so they are null despite
 * their type.
 */
export const withinPageSize = <Row extends SizedRow>(rows: readonly Row[]): Result<readonly Row[], PageTooLarge> =>
  checkPageSize(rows.map(({ bytes }) => bytes)).map(() => rows);
