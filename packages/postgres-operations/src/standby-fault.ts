import { connected } from '@zonewright/postgres';

interface Server {
  readonly isStandby: boolean;
  /** The same for all servers of a replication cluster. */
  readonly cluster: string;
}

const serverAt = (url: string): Promise<Server | undefined> =>
  connected(url, async (client) => {
    const { rows } = await client.query<Server>(
      `SELECT pg_is_in_recovery() AS "isStandby", (SELECT system_identifier::text FROM pg_control_system()) AS "cluster"`,
    );
    return rows[0];
  });

/**
 * Why the server at `readUrl` cannot serve reads for the one at `url`; undefined if it is its standby. Rejects when one
 * of them is unreachable.
 */
export async function standbyFault(url: string, readUrl: string): Promise<string | undefined> {
  const [primary, standby] = await Promise.all([serverAt(url), serverAt(readUrl)]);
  if (primary?.cluster !== standby?.cluster) return 'not a standby of this database';
  return standby?.isStandby === true ? undefined : 'not a standby, but the primary';
}
