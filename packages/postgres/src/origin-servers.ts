import {
  addressKey,
  type BackendStamp,
  backendNameTaken,
  nameKey,
  type OriginServer,
  type OriginServerClash,
  type OriginServers,
  originAddressTaken,
  originServerDocument,
  originServerNotFound,
  type RequestHostname,
  type UserId,
  type WrittenOriginServer,
} from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import { type RecordedBackend, type RecordedVerb, recordedBackend } from './backend-history.ts';
import type { Connection } from './database.ts';
import { brokenUniqueConstraint } from './failures.ts';
import { maybe, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';
import type { Statement } from './statement.ts';
import { timed } from './timed.ts';

type Row = Omit<OriginServer, 'requestHostname'> & { readonly requestHostname: RequestHostname | null };
type NotFound = ReturnType<typeof originServerNotFound>;

export const postgresOriginServers = (on: Connection): OriginServers => ({
  add: (server, author) => write(on, sql.originServers.add, server, recorded('created', author, server)),
  list: (organization, page) => pageOf(on, sql.originServers, { organization }, page, serverOf),
  byId: (organization, id) =>
    required<Row, NotFound>(on, sql.originServers.byId, { organization, id }, originServerNotFound).map(serverOf),
  lock: (organization, id) =>
    required<Row, NotFound>(on, sql.originServers.lock, { organization, id }, originServerNotFound).map(serverOf),
  clashes: (server) =>
    maybe<{ name: boolean | null; address: boolean | null }>(on, sql.originServers.clashes, valuesOf(server)).map(
      (clash) => [...(clash?.name ? [backendNameTaken()] : []), ...(clash?.address ? [originAddressTaken()] : [])],
    ),
  save: (server, author) => write(on, sql.originServers.save, server, recorded('changed', author, server)),
  remove: (id, author) => run(on, sql.originServers.remove, { id, ...recorded('deleted', author) }),
});

const recorded = (verb: RecordedVerb, author: UserId | undefined, server?: WrittenOriginServer): RecordedBackend =>
  recordedBackend('origin_server', verb, author, server && originServerDocument(server));

const valuesOf = (server: WrittenOriginServer) => ({
  ...server,
  nameKey: nameKey(server.name),
  addressKey: addressKey(server.address),
});

const write = (
  on: Connection,
  statement: Statement,
  server: WrittenOriginServer,
  record: RecordedBackend,
): ResultAsync<BackendStamp, OriginServerClash> =>
  ResultAsync.fromPromise(
    timed(on, () => on.one<BackendStamp>(statement.prepared({ ...valuesOf(server), ...record }))),
    clashOf,
  );

/** Maps a violated unique constraint; other failures stay rejections. */
function clashOf(error: unknown): OriginServerClash {
  switch (brokenUniqueConstraint(error)) {
    case 'origin_servers_name_unique':
      return backendNameTaken();
    case 'origin_servers_address_unique':
      return originAddressTaken();
    default:
      throw error;
  }
}

const serverOf = ({ requestHostname, ...row }: Row): OriginServer => ({
  ...row,
  requestHostname: requestHostname ?? undefined,
});
