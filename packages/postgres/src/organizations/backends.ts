import {
  type BackendId,
  type BackendKind,
  type BackendOrigin,
  type Backends,
  type BackendUser,
  backendKind,
  maxUsers,
  namesAnswering,
  type OrganizationId,
  type PresentBackends,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { column, many, value } from '../connection/query.ts';
import { sql } from '../sql.ts';

/** Members of the other kinds are null. */
type UserRow = BackendUser & { readonly [member: string]: unknown };

export const postgresBackends = (on: Connection): Backends => ({
  lockPresent: (organization, backends) => {
    const idsOf = (kind: BackendKind) => backends.filter((each) => backendKind(each) === kind).map(({ id }) => id);
    // Origin servers before load balancers, like all units that lock both.
    return lockOriginServers(on, organization, idsOf('origin_server')).andThen((originServers) =>
      lockLoadBalancers(on, organization, idsOf('load_balancer')).map((loadBalancers) => ({
        origin_server: originServers,
        load_balancer: loadBalancers,
      })),
    );
  },
  lockLoadBalancersWith: (originServer) => column<BackendId>(on, sql.backends.lockLoadBalancersWith, { originServer }),
  count: (organization) => value<number>(on, sql.backends.count, { organization }),
  users: (backends, filter) =>
    many<UserRow>(on, sql.backends.users, {
      backends,
      hosts: filter?.hosts ?? null,
      hostNames: filter?.hosts.flatMap(namesAnswering) ?? null,
      limit: maxUsers,
    }).map((rows) => rows.map(userOf)),
  areUsedOutside: (backends, zones) => value<boolean>(on, sql.backends.areUsedOutside, { backends, zones }),
});

type Present = PresentBackends[BackendKind];

const lockOriginServers = (
  on: Connection,
  organization: OrganizationId,
  ids: readonly BackendId[],
): ResultAsync<Present, never> =>
  ids.length === 0
    ? okAsync(new Map())
    : many<{ id: BackendId; addressKey: string }>(on, sql.backends.lockOriginServers, { organization, ids }).map(
        (rows) => new Map(rows.map(({ id, addressKey }) => [id, [{ addressKey, enabled: true }]])),
      );

const lockLoadBalancers = (
  on: Connection,
  organization: OrganizationId,
  ids: readonly BackendId[],
): ResultAsync<Present, never> =>
  ids.length === 0
    ? okAsync(new Map())
    : many<{ id: BackendId }>(on, sql.backends.lockLoadBalancers, { organization, ids }).andThen((locked) =>
        originsBehind(on, locked),
      );

/** The origins of locked load balancers: read after locking, or they could be outdated. */
const originsBehind = (on: Connection, balancers: readonly { readonly id: BackendId }[]): ResultAsync<Present, never> =>
  many<BackendOrigin & { readonly loadBalancer: BackendId }>(on, sql.backends.originsBehind, {
    ids: balancers.map(({ id }) => id),
  }).map((rows) => {
    const origins = new Map<BackendId, BackendOrigin[]>(balancers.map(({ id }) => [id, []]));
    for (const { loadBalancer, ...origin } of rows) origins.get(loadBalancer)?.push(origin);
    return origins;
  });

function userOf(row: UserRow): BackendUser {
  const { kind, name } = row;
  switch (kind) {
    case 'zone':
      return { kind, name, zone: row.zone };
    case 'configurationRule':
      return { kind, name, zone: row.zone, rule: row.rule };
    case 'loadBalancer':
      return { kind, name, organization: row.organization, loadBalancer: row.loadBalancer };
  }
}
