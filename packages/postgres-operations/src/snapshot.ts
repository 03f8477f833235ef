import { connected, withoutTimeLimits } from '@zonewright/postgres';
import type { Client } from 'pg';

/** Row counts by table. */
export type RowCounts = Readonly<Record<string, number>>;

/** Consistent row counts of all tables; empty if nothing was migrated. */
export const rowCounts = (url: string): Promise<RowCounts> => withSnapshot(url, async (_, counts) => counts);

/**
 * Runs work while holding a database snapshot open, with the name under which other sessions can import it. `counts`
 * are those of the snapshot.
 */
export const withSnapshot = <T>(url: string, work: (snapshot: string, counts: RowCounts) => Promise<T>): Promise<T> =>
  connected(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(withoutTimeLimits);
    const { rows } = await client.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
    const done = await work(rows[0]?.snapshot ?? '', await countsIn(client));
    await client.query('COMMIT');
    return done;
  });

async function countsIn(client: Client): Promise<RowCounts> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const counted = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${client.escapeIdentifier(name)}`,
    );
    counts[name] = counted.rows[0]?.count ?? 0;
  }
  return counts;
}
