import { connected } from './migrate.ts';

interface Server {
  readonly isStandby: boolean;
  /** The same for all servers that replicate each other as a whole. */
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
 * Why the server at `readUrl` can supply nothing that the one at `url` names; undefined: it is a standby of it. Rejects when one of
 * them cannot be reached.
 */
export async function standbyFault(url: string, readUrl: string): Promise<string | undefined> {
  const [primary, standby] = await Promise.all([serverAt(url), serverAt(readUrl)]);
  if (primary?.cluster !== standby?.cluster) return 'it is no standby of this database';
  return standby?.isStandby === true ? undefined : 'it is no standby, but the server that takes writes';
}
