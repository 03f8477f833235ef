import { type Client, escapeIdentifier, type QueryResultRow } from 'pg';
import type { MovedTable } from './moved-tables.ts';
import { sqlFile } from './sql-file.ts';

/** Two databases, each with an open transaction, and the organization's number in each. */
export interface CopySides {
  readonly source: CopySide;
  readonly target: CopySide;
}

interface CopySide {
  readonly client: Client;
  readonly organization: number;
}

/** A column as listed in the database's catalog. */
export interface Column {
  readonly name: string;
  /** Whether its value is the id of a user. */
  readonly isUser: boolean;
}

/** The writable columns of a table, in order. */
export const columnsOf = async (client: Client, table: string): Promise<readonly Column[]> =>
  (await client.query<Column>(sqlFile('moves/columns.sql'), [table])).rows;

/** Column names for SQL, quoted. */
export const columnList = (columns: readonly Column[]): string =>
  columns.map(({ name }) => escapeIdentifier(name)).join(', ');

/** Rows held in memory at a time: a revision may have megabytes. */
const batchSize = 50;

/**
 * Copies the organization's rows of a table as JSON text, which keeps every value exactly. Requires `matched_users` in
 * the target (see `matchAccounts`). Resolves to the number of rows, or to undefined if the copy has another checksum
 * than the original.
 */
export async function copyTable(sides: CopySides, table: MovedTable): Promise<number | undefined> {
  const { source, target } = sides;
  const columns = await columnsOf(source.client, table.name);
  const copied = columns.filter(({ name }) => table.assigned?.includes(name) !== true);
  const compared = copied.filter(({ name, isUser }) => !isUser && name !== 'organization_id');
  const name = escapeIdentifier(table.name);
  const conditions = await conditionsOf(sides, table, compared);
  const values = copied.map((column) => valueOf(column, table)).join(', ');
  const insert = `INSERT INTO ${name} (${columnList(copied)})
    SELECT ${values} FROM json_populate_recordset(NULL::${name}, $1) AS r`;
  const rows = `SELECT ${jsonOf(copied)} AS row FROM ${name} AS r WHERE ${conditions.source}`;
  for await (const batch of batchesOf<{ row: string }>(source, rows)) {
    const json = `[${batch.map(({ row }) => row).join(',')}]`;
    await target.client.query(insert, values.includes('$2') ? [json, target.organization] : [json]);
  }
  const original = await checksumOf(source, name, conditions.source, compared);
  const copy = await checksumOf(target, name, conditions.target, compared);
  return original.checksum === copy.checksum ? original.count : undefined;
}

/** The rows to copy and the copied ones, as SQL conditions. */
async function conditionsOf(
  { source, target }: CopySides,
  { name, condition, outlivesOrganization = false }: MovedTable,
  compared: readonly Column[],
): Promise<{ readonly source: string; readonly target: string }> {
  if (!outlivesOrganization) return { source: condition, target: condition };
  // The organization may have been in the target before, under the same number.
  await source.client.query('CREATE TEMP TABLE earlier_rows (checksum text PRIMARY KEY) ON COMMIT DROP');
  const checksum = `md5(${jsonOf(compared)})`;
  const earlier = `SELECT DISTINCT ${checksum} AS checksum FROM ${escapeIdentifier(name)} AS r WHERE ${condition}`;
  for await (const batch of batchesOf<{ checksum: string }>(target, earlier)) {
    await source.client.query('INSERT INTO earlier_rows SELECT unnest($1::text[])', [batch.map((row) => row.checksum)]);
  }
  return {
    source: `${condition} AND NOT EXISTS (SELECT FROM earlier_rows AS e WHERE e.checksum = ${checksum})`,
    target: `${condition} AND r.xmin = pg_current_xact_id()::xid`,
  };
}

/** Reads a query with the organization's number as `$1` through a cursor. */
async function* batchesOf<Row extends QueryResultRow>(
  { client, organization }: CopySide,
  query: string,
): AsyncGenerator<readonly Row[]> {
  await client.query(`DECLARE batches CURSOR FOR ${query}`, [organization]);
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${batchSize} FROM batches`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE batches');
}

/** The value of a column in the target, where `r` is the row in the source. */
function valueOf({ name, isUser }: Column, { outlivesOrganization = false }: MovedTable): string {
  if (name === 'organization_id') return '$2::integer';
  const value = `r.${escapeIdentifier(name)}`;
  if (!isUser) return value;
  const matched = `(SELECT target FROM matched_users WHERE source = ${value})`;
  // The audit log may name users that do not exist.
  return outlivesOrganization ? `coalesce(${matched}, ${value})` : matched;
}

/** JSON text of these columns of the row `r`. */
const jsonOf = (columns: readonly Column[]): string => {
  const values = columns.map(({ name }) => `r.${escapeIdentifier(name)}`).join(', ');
  return `(SELECT row_to_json(t)::text FROM (SELECT ${values}) AS t)`;
};

/** The number of rows, and a checksum that does not depend on their order. */
async function checksumOf(
  { client, organization }: CopySide,
  table: string,
  condition: string,
  columns: readonly Column[],
): Promise<{ readonly count: number; readonly checksum: string }> {
  const { rows } = await client.query<{ count: number; checksum: string }>(
    `SELECT count(*)::int AS count, count(*) || ' ' || coalesce(md5(string_agg(sum, '' ORDER BY sum)), '') AS checksum
     FROM (SELECT md5(${jsonOf(columns)}) AS sum FROM ${table} AS r WHERE ${condition}) AS sums`,
    [organization],
  );
  return rows[0] ?? { count: 0, checksum: '' };
}
