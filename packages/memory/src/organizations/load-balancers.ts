import {
  type BackendId,
  backendNameTaken,
  type LoadBalancer,
  type LoadBalancerNotFound,
  type LoadBalancers,
  loadBalancerDocument,
  loadBalancerNotFound,
  nameKey,
  type OrganizationId,
  type WrittenLoadBalancer,
} from '@zonewright/core';
import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { pageOf } from '../pages.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import { recordBackend } from './backend-history.ts';
import { byName } from './backends.ts';

export const memoryLoadBalancers = (unit: Unit): LoadBalancers => {
  const { tables, now } = unit;
  const { loadBalancers } = tables;
  const byId = (organization: OrganizationId, id: BackendId): ResultAsync<LoadBalancer, LoadBalancerNotFound> => {
    const row = loadBalancers.get(id);
    return row?.organizationId === organization ? okAsync(row) : errAsync(loadBalancerNotFound());
  };
  const write: LoadBalancers['add'] = (balancer, author) => {
    const [clash] = clashesOf(tables, balancer);
    if (clash !== undefined) return errAsync(clash);
    requireOwnOrigins(tables, balancer);
    const before = loadBalancers.get(balancer.id);
    const stamp = { createdAt: before?.createdAt ?? now(), updatedAt: now(), revision: (before?.revision ?? 0) + 1 };
    loadBalancers.set(balancer.id, { ...balancer, ...stamp });
    recordBackend(unit, { ...balancer, kind: 'load_balancer' }, author, loadBalancerDocument(balancer));
    return okAsync(stamp);
  };
  return {
    add: write,
    list: (organization, page) => {
      const rows = [...loadBalancers.values()].filter(({ organizationId }) => organizationId === organization);
      return okAsync(pageOf(byName(rows), page));
    },
    byId,
    lock: byId,
    clashes: (balancer) => okAsync(clashesOf(tables, balancer)),
    save: (balancer, { author }) => write(balancer, author),
    remove: (id, author) => {
      const removed = loadBalancers.get(id);
      if (removed !== undefined) recordBackend(unit, { ...removed, kind: 'load_balancer' }, author, undefined);
      loadBalancers.delete(id);
      return okAsync();
    },
  };
};

const clashesOf = (
  { loadBalancers }: Tables,
  { id, organizationId, name }: Pick<WrittenLoadBalancer, 'id' | 'organizationId' | 'name'>,
) =>
  [...loadBalancers.values()]
    .filter((other) => other.organizationId === organizationId && other.id !== id)
    .filter((other) => nameKey(other.name) === nameKey(name))
    .map(backendNameTaken);

/** A check that foreign keys make in a database. */
function requireOwnOrigins(
  { originServers }: Tables,
  { organizationId, origins }: Pick<WrittenLoadBalancer, 'organizationId' | 'origins'>,
): void {
  const isOwn = (id: BackendId) => originServers.get(id)?.organizationId === organizationId;
  if (!origins.every(({ originServer }) => isOwn(originServer))) {
    throw new Error('A load balancer has an origin that its organization does not have.');
  }
}
