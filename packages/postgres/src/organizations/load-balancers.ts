import {
  type BackendNameTaken,
  type BackendStamp,
  backendNameTaken,
  type LoadBalancer,
  type LoadBalancers,
  loadBalancerDocument,
  loadBalancerNotFound,
  nameKey,
  type UserId,
  type WrittenLoadBalancer,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { itemOf, many, mapConstraints, one, pageOf, type RowOf, required, run } from '../connection/query.ts';
import type { Statement } from '../connection/statement.ts';
import { sql } from '../sql.ts';
import { type RecordedBackend, type RecordedVerb, recordedBackend } from './backend-history.ts';

export const postgresLoadBalancers = (on: Connection): LoadBalancers => {
  const byId: LoadBalancers['byId'] = (organization, id) =>
    required<RowOf<LoadBalancer>>(on, sql.loadBalancers.byId, { organization, id })
      .mapErr(loadBalancerNotFound)
      .map(itemOf<LoadBalancer>);
  return {
    add: (balancer, author) =>
      write(on, sql.loadBalancers.add, balancer, recorded('created', author, balancer)).andThen((stamp) =>
        addOrigins(on, balancer).map(() => stamp),
      ),
    list: (organization, page) => pageOf(on, sql.loadBalancers, { organization }, page, itemOf<LoadBalancer>),
    byId,
    lock: (organization, id) =>
      required(on, sql.loadBalancers.lock, { organization, id })
        .mapErr(loadBalancerNotFound)
        .andThen(() => byId(organization, id)),
    clashes: ({ id, organizationId, name }) =>
      many(on, sql.loadBalancers.clashes, { id, organizationId, nameKey: nameKey(name) }).map((rows) =>
        rows.map(backendNameTaken),
      ),
    save: (balancer, { author, originsChange }) =>
      write(on, sql.loadBalancers.save, balancer, recorded('changed', author, balancer)).andThen((stamp) =>
        originsChange ? replaceOrigins(on, balancer).map(() => stamp) : okAsync(stamp),
      ),
    remove: (id, author) => run(on, sql.loadBalancers.remove, { id, ...recorded('deleted', author) }),
  };
};

const recorded = (verb: RecordedVerb, author: UserId | undefined, balancer?: WrittenLoadBalancer): RecordedBackend =>
  recordedBackend('load_balancer', verb, author, balancer && loadBalancerDocument(balancer));

type Origins = Pick<WrittenLoadBalancer, 'id' | 'organizationId' | 'origins'>;

const replaceOrigins = (on: Connection, balancer: Origins): ResultAsync<void, never> =>
  run(on, sql.loadBalancers.removeOrigins, { id: balancer.id }).andThen(() => addOrigins(on, balancer));

const addOrigins = (on: Connection, { id, organizationId, origins }: Origins): ResultAsync<void, never> =>
  run(on, sql.loadBalancers.addOrigins, {
    id,
    organizationId,
    originServers: origins.map(({ originServer }) => originServer),
    weights: origins.map(({ weight }) => weight),
    enabled: origins.map(({ enabled }) => enabled),
  });

const write = (
  on: Connection,
  statement: Statement,
  balancer: WrittenLoadBalancer,
  record: RecordedBackend,
): ResultAsync<BackendStamp, BackendNameTaken> =>
  mapConstraints(one<BackendStamp>(on, statement, { ...balancer, nameKey: nameKey(balancer.name), ...record }), {
    load_balancers_name_unique: backendNameTaken,
  });
