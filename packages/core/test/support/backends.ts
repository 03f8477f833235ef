import {
  BackendAddress,
  BackendId,
  BackendName,
  type BackendReference,
  backendKind,
  type Caller,
  type JsonObject,
  type LoadBalancer,
  LoadBalancerDraft,
  type OrganizationId,
  type OriginServer,
} from '@zonewright/core';
import type { Tables } from '@zonewright/memory';
import { createLoadBalancer } from '../../src/organizations/backends/write-load-balancer.ts';
import { createOriginServer } from '../../src/organizations/backends/write-origin-server.ts';
import { valueOf } from './outcomes.ts';
import type { World } from './world.ts';

const stamp = { createdAt: new Date(0), updatedAt: new Date(0), revision: 1 };

/** Stores backends with these ids, bypassing the use cases; a load balancer gets its own enabled origin. */
export function addBackends(
  tables: Tables,
  organizationId: OrganizationId,
  references: readonly BackendReference[],
): void {
  for (const reference of references) {
    const { id } = reference;
    if (backendKind(reference) === 'origin_server') addServer(tables, organizationId, id);
    else {
      const originServer = BackendId.parse(`ffffffff${id.slice(8)}`);
      addServer(tables, organizationId, originServer);
      const origins = [{ originServer, weight: 1, enabled: true }];
      const rest = { method: 'random', requestHostname: undefined, ...stamp } as const;
      tables.loadBalancers.set(id, { id, organizationId, name: BackendName.parse(id), origins, ...rest });
    }
  }
}

function addServer({ originServers }: Tables, organizationId: OrganizationId, id: BackendId): void {
  const address = BackendAddress.parse(`${id}.example.net`);
  const rest = { protocol: 'https', port: 443, requestHostname: undefined, ...stamp } as const;
  originServers.set(id, { id, organizationId, name: BackendName.parse(id), address, ...rest });
}

/** A valid origin server with a unique name and address; members can be overridden. */
export const aServerDraft = (name: string, changes: object = {}): JsonObject => ({
  name,
  protocol: 'https',
  address: `${name.replaceAll(/\W/g, '-')}.example.net`,
  ...changes,
});

export const aServer = (
  world: World,
  caller: Caller,
  organization: OrganizationId,
  name: string,
  changes: object = {},
): Promise<OriginServer> => valueOf(createOriginServer(world)(caller, organization, aServerDraft(name, changes)));

/** An origin of a load balancer, as written. */
export const over = ({ id }: Pick<OriginServer, 'id'>, changes: object = {}): object => ({
  originServer: id,
  ...changes,
});

export const aBalancerDraft = (name: string, origins: readonly object[], changes: object = {}): LoadBalancerDraft =>
  LoadBalancerDraft.parse({ name, origins, ...changes });

export const aBalancer = (
  world: World,
  caller: Caller,
  organization: OrganizationId,
  name: string,
  origins: readonly object[],
): Promise<LoadBalancer> => valueOf(createLoadBalancer(world)(caller, organization, aBalancerDraft(name, origins)));
