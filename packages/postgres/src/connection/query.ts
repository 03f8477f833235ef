import { checkPageSize, offsetOf, type Page, type PageRequest, type PageTooLarge } from '@zonewright/core';
import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { Client } from 'pg';
import type { Connection } from './database.ts';
import { brokenConstraint } from './failures.ts';
import { isPool, pooledRows } from './pooled-rows.ts';
import type { Statement } from './statement.ts';

type Values = Readonly<Record<string, unknown>>;

/** The rows of a statement. Failures are rejections, never Errs. */
export const many = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row[], never> =>
  ResultAsync.fromSafePromise(
    isPool(on) ? pooledRows<Row>(on, statement, values) : on.any<Row>(statement.prepared(values)),
  );

/** The row of a statement that always returns exactly one. */
export const one = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row, never> =>
  ResultAsync.fromSafePromise(on.one<Row>(statement.prepared(values)));

/** The row, or undefined. */
export const maybe = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row | undefined, never> =>
  many<Row>(on, statement, values).andThen((rows) => {
    if (rows.length > 1) throw new Error(`The statement returned several rows: ${statement.text}`);
    return ok(rows[0]);
  });

/** The row, or an error that callers name, if there is none. */
export const required = <Row>(on: Connection, statement: Statement, values: Values): ResultAsync<Row, 'absent'> =>
  maybe<Row>(on, statement, values).andThen(
    (row): Result<Row, 'absent'> => (row === undefined ? err('absent') : ok(row)),
  );

/** Runs a statement that returns a row if there is something to change; otherwise like `required`. */
export const change = (on: Connection, statement: Statement, values: Values): ResultAsync<void, 'absent'> =>
  required(on, statement, values).map(() => undefined);

/** The values of a statement's only column. */
export const column = <Value>(on: Connection, statement: Statement, values: Values): ResultAsync<Value[], never> =>
  many<Readonly<Record<string, Value>>>(on, statement, values).map((rows) => rows.flatMap(Object.values<Value>));

/** The value in the only column of the only row. */
export const value = <Value>(on: Connection, statement: Statement, values: Values): ResultAsync<Value, never> =>
  one<Readonly<Record<string, Value>>>(on, statement, values).map(
    // There is one column.
    (row) => Object.values(row)[0] as Value,
  );

/** The result of a statement, or the error for the constraint that it violates. */
export const mapConstraints = <T, E>(
  pending: ResultAsync<T, never>,
  errors: Readonly<Record<string, () => E>>,
): ResultAsync<T, E> =>
  new ResultAsync(
    Promise.resolve(pending).catch((failure: unknown): Result<T, E> => {
      const broken = errors[brokenConstraint(failure) ?? ''];
      if (broken === undefined) throw failure;
      return err(broken());
    }),
  );

/** Runs a statement without a result. */
export const run = (on: Connection, statement: Statement, values: Values): ResultAsync<void, never> =>
  ResultAsync.fromSafePromise(on.none(statement.prepared(values))).map(() => undefined);

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

/** The row that holds an item, with null where the item has undefined. */
export type RowOf<Item> = {
  readonly [Name in keyof Item]: undefined extends Item[Name] ? Exclude<Item[Name], undefined> | null : Item[Name];
};

/** The item in a row. */
export const itemOf = <Item extends object>(row: RowOf<Item>): Item =>
  // Only members that can be undefined are null.
  Object.fromEntries(Object.entries(row).map(([name, column]) => [name, column ?? undefined])) as Item;

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
