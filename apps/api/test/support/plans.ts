import type { Database, SentStatement } from '@zonewright/postgres';

/** A step of a plan, as EXPLAIN prints it; what was counted is there only where the statement was executed. */
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

/** Executions after which the server may use one plan for all values of a prepared statement (PREPARE, "Notes"). */
const executions = 6;

/** The plans of a prepared statement when it is executed again and again with the same values. */
export const plansOf = (
  database: Database,
  { text, values = [] }: SentStatement,
  options = 'FORMAT JSON',
): Promise<readonly PlanNode[]> =>
  database.task(async (connection) => {
    await connection.none('PREPARE probe AS $1:raw', [text.replaceAll(/;\s*$/g, '')]);
    try {
      const plans: PlanNode[] = [];
      const list = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
      for (let execution = 0; execution < executions; execution += 1) {
        const explained = await connection.one<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
          'EXPLAIN ($1:raw) EXECUTE probe$2:raw',
          [options, list],
        );
        plans.push(...explained['QUERY PLAN'].map(({ Plan }) => Plan));
      }
      return plans;
    } finally {
      await connection.none('DEALLOCATE probe');
    }
  });

/** A value as text of SQL whose type the statement decides. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return `'${textOf(value).replaceAll("'", "''")}'`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  // Numbers and truth values read the same in both languages; objects are stored as JSON.
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `{${value.map((entry) => `"${textOf(entry).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The most rows and index entries that any plan of a statement that only reads looks at. */
export async function rowsReadBy(database: Database, statement: SentStatement): Promise<number> {
  const plans = await plansOf(database, statement, 'ANALYZE, TIMING OFF, FORMAT JSON');
  return Math.max(...plans.map(rowsReadIn));
}

const rowsReadIn = (node: PlanNode): number =>
  (node.Plans ?? []).map(rowsReadIn).reduce((sum, rows) => sum + rows, isScan(node) ? looked(node) : 0);

const isScan = (node: PlanNode): boolean => node['Relation Name'] !== undefined || node['Index Name'] !== undefined;

const looked = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 0);
