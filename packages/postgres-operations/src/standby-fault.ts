import { type Database, faultOfStandby, isStandby, openDatabase } from '@zonewright/postgres';

/**
 * Why the server at `readUrl` is of no use as a standby of the one at `url`; undefined if it follows it. Rejects when one
 * of them is unreachable.
 */
export async function standbyFault(url: string, readUrl: string): Promise<string | undefined> {
  const opened = [url, readUrl].map((each) =>
    openDatabase({ url: each, connections: 1, pooler: { keepsStatements: false } }),
  ) as [Database, Database]; // One for each URL.
  try {
    const fault = await faultOfStandby(...opened);
    return fault === undefined && !(await isStandby(opened[1])) ? 'not a standby, but the primary' : fault;
  } finally {
    for (const database of opened) await database.$pool.end();
  }
}
