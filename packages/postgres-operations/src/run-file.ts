import type { Client, QueryResultRow } from 'pg';
import pgPromise from 'pg-promise';
import { sqlFile } from './sql-file.ts';

/** Values by name, formatted into the text: `${column:name}` is quoted as a name, or as a list of names. */
type Values = Readonly<Record<string, unknown>>;

const textOf = (path: string, values: Values): string => pgPromise.as.format(sqlFile(path), values);

/** Runs a file of `sql/`, which may contain several statements, on one connection. */
export async function runFile(client: Client, path: string, values: Values = {}): Promise<void> {
  await client.query(textOf(path, values));
}

/** The rows of a file with one statement. */
export const rowsOf = async <Row extends QueryResultRow>(
  client: Client,
  path: string,
  values: Values = {},
): Promise<readonly Row[]> => (await client.query<Row>(textOf(path, values))).rows;

/** The row of a statement that always returns exactly one. */
export async function rowOf<Row extends QueryResultRow>(
  client: Client,
  path: string,
  values: Values = {},
): Promise<Row> {
  const [row] = await rowsOf<Row>(client, path, values);
  if (row === undefined) throw new Error(`The statement returned no row: ${path}`);
  return row;
}
