import { type Backends, type BackendUser, backendKind, greatestUsers } from '@zonewright/core';
import type { Connection } from './database.ts';
import { many, maybe, one } from './query.ts';
import { sql } from './sql.ts';

const locks = {
  origin_server: sql.backends.lockOriginServer,
  load_balancer: sql.backends.lockLoadBalancer,
} as const;

const originsBehind = {
  origin_server: sql.backends.originsBehindOriginServer,
  load_balancer: sql.backends.originsBehindLoadBalancer,
} as const;

/** The members of the other kinds are null. */
type UserRow = BackendUser & { readonly [member: string]: unknown };

export const postgresBackends = (on: Connection): Backends => ({
  lockIfPresent: (organization, backend) =>
    maybe(on, locks[backendKind(backend)], { id: backend.id, organization }).map((row) => row !== undefined),
  originsBehind: (backend) => many(on, originsBehind[backendKind(backend)], { id: backend.id }),
  count: (organization) => one<{ total: number }>(on, sql.backends.count, { organization }).map(({ total }) => total),
  users: (backends, filter) =>
    many<UserRow>(on, sql.backends.users, {
      backends,
      zoneNames: filter?.zoneNames ?? null,
      limit: greatestUsers,
    }).map((rows) => rows.map(userOf)),
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
