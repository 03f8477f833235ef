import type { Database, SentStatement } from '@zonewright/postgres';

/** A node of a plan as printed by EXPLAIN; actual counts exist only after execution. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The generic plan of a prepared statement, which connections of the service use for all values. */
export const planOf = (
  database: Database,
  { text, values = [] }: SentStatement,
  options = 'FORMAT JSON',
): Promise<PlanNode> =>
  database.task(async (connection) => {
    await connection.none('PREPARE probe AS $1:raw', [text.replaceAll(/;\s*$/g, '')]);
    try {
      const list = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
      const explained = await connection.one<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
        'EXPLAIN ($1:raw) EXECUTE probe$2:raw',
        [options, list],
      );
      return explained['QUERY PLAN'][0].Plan;
    } finally {
      await connection.none('DEALLOCATE probe');
    }
  });

/** An untyped SQL literal, whose type PostgreSQL infers from the statement. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return `'${textOf(value).replaceAll("'", "''")}'`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  // JSON and SQL have the same syntax for numbers and booleans; objects are stored as JSON.
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `{${value.map((entry) => `"${textOf(entry).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The number of rows and index entries a read-only statement visits. */
export const rowsReadBy = async (database: Database, statement: SentStatement): Promise<number> =>
  rowsReadIn(await planOf(database, statement, 'ANALYZE, TIMING OFF, FORMAT JSON'));

const rowsReadIn = (node: PlanNode): number =>
  (node.Plans ?? []).map(rowsReadIn).reduce((sum, rows) => sum + rows, isScan(node) ? looked(node) : 0);

const isScan = (node: PlanNode): boolean => node['Relation Name'] !== undefined || node['Index Name'] !== undefined;

const looked = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 0);
