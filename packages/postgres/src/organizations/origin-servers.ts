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
  type UserId,
  type WrittenOriginServer,
} from '@zonewright/core';
import type { ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { itemOf, mapConstraints, maybe, one, pageOf, type RowOf, required, run } from '../connection/query.ts';
import type { Statement } from '../connection/statement.ts';
import { sql } from '../sql.ts';
import { type RecordedBackend, type RecordedVerb, recordedBackend } from './backend-history.ts';

export const postgresOriginServers = (on: Connection): OriginServers => ({
  add: (server, author) => write(on, sql.originServers.add, server, recorded('created', author, server)),
  list: (organization, page) => pageOf(on, sql.originServers, { organization }, page, itemOf<OriginServer>),
  byId: (organization, id) =>
    required<RowOf<OriginServer>>(on, sql.originServers.byId, { organization, id })
      .mapErr(originServerNotFound)
      .map(itemOf<OriginServer>),
  lock: (organization, id) =>
    required<RowOf<OriginServer>>(on, sql.originServers.lock, { organization, id })
      .mapErr(originServerNotFound)
      .map(itemOf<OriginServer>),
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
  mapConstraints<BackendStamp, OriginServerClash>(one(on, statement, { ...valuesOf(server), ...record }), {
    origin_servers_name_unique: backendNameTaken,
    origin_servers_address_unique: originAddressTaken,
  });
