import { type Database, faultOfStandby, openDatabase } from '@zonewright/postgres';

/**
 * Why the server at `readUrl` cannot serve reads for the one at `url`; undefined if it follows it. Rejects when one of
 * them is unreachable.
 */
export async function standbyFault(url: string, readUrl: string): Promise<string | undefined> {
  const opened = [url, readUrl].map((each) =>
    openDatabase({ url: each, connections: 1, pooler: { keepsStatements: false } }),
  ) as [Database, Database]; // One for each URL.
  try {
    return await faultOfStandby(...opened);
  } finally {
    for (const database of opened) await database.$pool.end();
  }
}
