import {
  addressKey,
  type BackendId,
  backendNameTaken,
  nameKey,
  type OrganizationId,
  type OriginServer,
  type OriginServerNotFound,
  type OriginServers,
  originAddressTaken,
  originServerDocument,
  originServerNotFound,
  type WrittenOriginServer,
} from '@zonewright/core';
import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { pageOf } from '../pages.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import { recordBackend } from './backend-history.ts';
import { byName } from './backends.ts';

export const memoryOriginServers = (unit: Unit): OriginServers => {
  const { tables, now } = unit;
  const { originServers, loadBalancers } = tables;
  const ofOrganization = (organization: OrganizationId) =>
    [...originServers.values()].filter(({ organizationId }) => organizationId === organization);
  const byId = (organization: OrganizationId, id: BackendId): ResultAsync<OriginServer, OriginServerNotFound> => {
    const row = originServers.get(id);
    return row?.organizationId === organization ? okAsync(row) : errAsync(originServerNotFound());
  };
  const write: OriginServers['save'] = (server, author) => {
    const [clash] = clashesOf(tables, server);
    if (clash !== undefined) return errAsync(clash);
    const before = originServers.get(server.id);
    const stamp = { createdAt: before?.createdAt ?? now(), updatedAt: now(), revision: (before?.revision ?? 0) + 1 };
    originServers.set(server.id, { ...server, ...stamp });
    recordBackend(unit, { ...server, kind: 'origin_server' }, author, originServerDocument(server));
    return okAsync(stamp);
  };
  return {
    add: write,
    list: (organization, page) => okAsync(pageOf(byName(ofOrganization(organization)), page)),
    byId,
    lock: byId,
    clashes: (server) => okAsync(clashesOf(tables, server)),
    save: write,
    remove: (id, author) => {
      const isOrigin = [...loadBalancers.values()].some(({ origins }) =>
        origins.some(({ originServer }) => originServer === id),
      );
      if (isOrigin) throw new Error('An origin server that a load balancer uses cannot be removed.');
      const removed = originServers.get(id);
      if (removed !== undefined) recordBackend(unit, { ...removed, kind: 'origin_server' }, author, undefined);
      originServers.delete(id);
      return okAsync();
    },
  };
};

function clashesOf({ originServers }: Tables, { id, organizationId, name, address, port }: WrittenOriginServer) {
  const others = [...originServers.values()].filter(
    (other) => other.organizationId === organizationId && other.id !== id,
  );
  const hasAddress = (other: OriginServer) => addressKey(other.address) === addressKey(address) && other.port === port;
  return [
    ...(others.some((other) => nameKey(other.name) === nameKey(name)) ? [backendNameTaken()] : []),
    ...(others.some(hasAddress) ? [originAddressTaken()] : []),
  ];
}
