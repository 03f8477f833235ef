import { connected } from '@zonewright/postgres';
import { rowOf } from './run-file.ts';

type Server = {
  readonly isStandby: boolean;
  /** The same for all servers of a replication cluster. */
  readonly cluster: string;
};

const serverAt = (url: string): Promise<Server> =>
  connected(url, (client) => rowOf<Server>(client, 'checks/server.sql'));

/**
 * Why the server at `readUrl` cannot serve reads for the one at `url`; undefined if it is its standby. Rejects when one
 * of them is unreachable.
 */
export async function standbyFault(url: string, readUrl: string): Promise<string | undefined> {
  const [primary, standby] = await Promise.all([serverAt(url), serverAt(readUrl)]);
  if (primary.cluster !== standby.cluster) return 'not a standby of this database';
  return standby.isStandby ? undefined : 'not a standby, but the primary';
}
