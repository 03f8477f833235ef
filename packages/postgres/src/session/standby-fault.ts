import type { Database } from '../connection/database.ts';
import { sql } from '../sql.ts';

/** What a server says about itself, read on it. */
interface ServerState {
  readonly isStandby: boolean;
  readonly [member: string]: unknown;
}

/** How the primary sees that state. */
interface Comparison {
  readonly isSameCluster: boolean;
  readonly isSameDatabase: boolean;
  readonly isSameServer: boolean;
  readonly hasTimeline: boolean;
  readonly hasPosition: boolean;
  readonly hasEntry: boolean;
}

/**
 * Why `standby` cannot serve reads for `primary`; undefined if it follows it, or is the same server. A clone that was made
 * from a backup has the names of versions, but other contents. Rejects when one of them does not answer.
 */
export async function faultOfStandby(primary: Database, standby: Database): Promise<string | undefined> {
  // The standby first, so that the primary cannot have less.
  const state = await standby.one<ServerState>(sql.standby.state.prepared());
  return faultIn(state, await primary.one<Comparison>(sql.standby.comparison.prepared(state)));
}

/** Whether a server replays the log of another. */
export const isStandby = async (database: Database): Promise<boolean> =>
  (await database.one<ServerState>(sql.standby.state.prepared())).isStandby;

function faultIn({ isStandby }: ServerState, seen: Comparison): string | undefined {
  if (!seen.isSameCluster || !seen.isSameDatabase) return 'not a standby of this database';
  if (seen.isSameServer) return undefined;
  if (!isStandby) return 'not a standby, but a server of its own';
  const follows = seen.hasTimeline && seen.hasPosition && seen.hasEntry;
  return follows ? undefined : 'a standby with another history than this database';
}

/** The server at `DATABASE_READ_URL` does not follow the primary. */
export class StandbyRefused extends Error {
  override readonly name = 'StandbyRefused';
}
