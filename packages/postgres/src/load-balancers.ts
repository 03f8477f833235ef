import {
  type BackendNameTaken,
  type BackendStamp,
  backendNameTaken,
  type LoadBalancer,
  type LoadBalancers,
  loadBalancerDocument,
  loadBalancerNotFound,
  nameKey,
  type RequestHostname,
  type UserId,
  type WrittenLoadBalancer,
} from '@zonewright/core';
import { okAsync, ResultAsync } from 'neverthrow';
import { type RecordedBackend, type RecordedVerb, recordedBackend } from './backend-history.ts';
import type { Connection } from './database.ts';
import { brokenUniqueConstraint } from './failures.ts';
import { many, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';
import type { Statement } from './statement.ts';
import { timed } from './timed.ts';

type Row = Omit<LoadBalancer, 'requestHostname'> & { readonly requestHostname: RequestHostname | null };
type NotFound = ReturnType<typeof loadBalancerNotFound>;

export const postgresLoadBalancers = (on: Connection): LoadBalancers => {
  const byId: LoadBalancers['byId'] = (organization, id) =>
    required<Row, NotFound>(on, sql.loadBalancers.byId, { organization, id }, loadBalancerNotFound).map(balancerOf);
  return {
    add: (balancer, author) =>
      write(on, sql.loadBalancers.add, balancer, recorded('created', author, balancer)).andThen((stamp) =>
        addOrigins(on, balancer).map(() => stamp),
      ),
    list: (organization, page) => pageOf(on, sql.loadBalancers, { organization }, page, balancerOf),
    byId,
    lock: (organization, id) =>
      required<unknown, NotFound>(on, sql.loadBalancers.lock, { organization, id }, loadBalancerNotFound).andThen(() =>
        byId(organization, id),
      ),
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
): ResultAsync<BackendStamp, BackendNameTaken> => {
  const values = { ...balancer, nameKey: nameKey(balancer.name), ...record };
  return ResultAsync.fromPromise(
    timed(on, () => on.one<BackendStamp>(statement.prepared(values))),
    clashOf,
  );
};

/** Maps a violated unique constraint; other failures stay rejections. */
function clashOf(error: unknown): BackendNameTaken {
  if (brokenUniqueConstraint(error) === 'load_balancers_name_unique') return backendNameTaken();
  throw error;
}

const balancerOf = ({ requestHostname, ...row }: Row): LoadBalancer => ({
  ...row,
  requestHostname: requestHostname ?? undefined,
});
