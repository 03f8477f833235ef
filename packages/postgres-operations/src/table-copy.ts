import type { Client, QueryResultRow } from 'pg';
import { type MovedTable, namesOf, type RowNames } from './moved-tables.ts';
import { rowOf, rowsOf, runFile } from './run-file.ts';

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
export const columnsOf = (client: Client, table: string): Promise<readonly Column[]> =>
  rowsOf<Column>(client, 'moves/columns.sql', { table });

/** Rows held in memory at a time: a revision may have megabytes. */
const batchSize = 50;

/** The names that the statements on a table take. */
interface TableNames extends RowNames {
  readonly copied: readonly string[];
  /** Columns with the same values on both sides. */
  readonly compared: readonly string[];
}

/**
 * Copies the organization's rows of a table as JSON text, which keeps every value exactly. Requires `matched_users` in
 * the target (see `matchAccounts`) and `earlier_rows` in the source. Resolves to the number of rows, or to undefined if
 * the copy has another checksum than the original.
 */
export async function copyTable({ source, target }: CopySides, table: MovedTable): Promise<number | undefined> {
  const { assigned = [], outlivesOrganization: keepsUsers = false } = table;
  const copied = (await columnsOf(source.client, table.name)).filter(({ name }) => !assigned.includes(name));
  const replaced = namesIn(copied.filter(isReplaced));
  const compared = namesIn(copied.filter((column) => !isReplaced(column)));
  const names = { ...namesOf(table), copied: namesIn(copied), compared };
  // The organization may have been in the target before, under the same number.
  if (keepsUsers) await noteEarlierRows(source, target, names);
  for await (const batch of batchesOf<{ row: string }>(source, 'moves/open-rows.sql', names)) {
    const rows = `[${batch.map(({ row }) => row).join(',')}]`;
    const { organization } = target;
    await runFile(target.client, 'moves/add-rows.sql', { ...names, rows, replaced, keepsUsers, organization });
  }
  const original = await checksumOf(source, 'moves/checksum-of-originals.sql', names);
  const copy = await checksumOf(target, 'moves/checksum-of-copies.sql', names);
  return original.checksum === copy.checksum ? original.count : undefined;
}

const namesIn = (columns: readonly Column[]): readonly string[] => columns.map(({ name }) => name);

/** Whether the target has another value. */
const isReplaced = ({ name, isUser }: Column): boolean => isUser || name === 'organization_id';

async function noteEarlierRows(source: CopySide, target: CopySide, names: TableNames): Promise<void> {
  for await (const batch of batchesOf<{ checksum: string }>(target, 'moves/open-checksums.sql', names)) {
    const checksums = batch.map(({ checksum }) => checksum);
    await runFile(source.client, 'moves/add-earlier-rows.sql', { checksums });
  }
}

/** Reads the rows of a statement that opens the cursor `batches`. */
async function* batchesOf<Row extends QueryResultRow>(
  { client, organization }: CopySide,
  path: string,
  names: TableNames,
): AsyncGenerator<readonly Row[]> {
  await runFile(client, path, { ...names, organization });
  for (;;) {
    const rows = await rowsOf<Row>(client, 'moves/next-batch.sql', { count: batchSize });
    if (rows.length === 0) break;
    yield rows;
  }
  await runFile(client, 'moves/close-batches.sql');
}

const checksumOf = ({ client, organization }: CopySide, path: string, names: TableNames) =>
  rowOf<{ readonly count: number; readonly checksum: string }>(client, path, { ...names, organization });
