import { connected } from '@zonewright/postgres';
import type { Client } from 'pg';
import { rowOf, rowsOf, runFile } from './run-file.ts';

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
    await runFile(client, 'snapshot/begin.sql');
    const { snapshot } = await rowOf<{ snapshot: string }>(client, 'snapshot/export.sql');
    const done = await work(snapshot, await countsIn(client));
    await runFile(client, 'transactions/commit.sql');
    return done;
  });

async function countsIn(client: Client): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const { name: table } of await rowsOf<{ name: string }>(client, 'snapshot/tables.sql')) {
    counts[table] = (await rowOf<{ count: number }>(client, 'snapshot/count.sql', { table })).count;
  }
  return counts;
}
