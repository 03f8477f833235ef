import type { Backends as EngineBackends } from '@zonewright/engine';
import { ResultAsync } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import { usageLimits } from '../../kernel/usage-limits/usage-limits.ts';
import { addressKey } from '../../organizations/backends/address.ts';
import type { LoadBalancer } from '../../organizations/backends/load-balancer.ts';
import type { OriginServer } from '../../organizations/backends/origin-server.ts';
import type {
  BackendOrigin,
  BackendsOfOrganization,
  LoadBalancers,
  OriginServers,
  PresentBackends,
} from '../../organizations/backends/ports.ts';

interface Repositories {
  readonly loadBalancers: LoadBalancers;
  readonly originServers: OriginServers;
}

const everything = { page: 1, itemsPerPage: usageLimits.backends.ceiling };

/** The backends of an organization, with the times at which they were written. */
export interface StoredBackends {
  readonly originServers: readonly OriginServer[];
  readonly loadBalancers: readonly LoadBalancer[];
}

/** All current backends of an organization. */
export const readBackends = (
  { originServers, loadBalancers }: Pick<Repositories, 'originServers' | 'loadBalancers'>,
  organization: OrganizationId,
): ResultAsync<StoredBackends, never> =>
  ResultAsync.combine([originServers.list(organization, everything), loadBalancers.list(organization, everything)]).map(
    ([servers, balancers]) => ({ originServers: servers.items, loadBalancers: balancers.items }),
  );

/** The same backends in the engine's format. */
export const engineBackends = ({ originServers, loadBalancers }: BackendsOfOrganization): EngineBackends => ({
  originServers: new Map(
    originServers.map((server) => [server.id, { ...server, requestHostname: server.requestHostname ?? null }]),
  ),
  loadBalancers: new Map(
    loadBalancers.map((balancer) => [balancer.id, { ...balancer, requestHostname: balancer.requestHostname ?? null }]),
  ),
});

/** The same backends in the format for checking references. */
export function presentBackends({ originServers, loadBalancers }: BackendsOfOrganization): PresentBackends {
  const addresses = new Map(originServers.map(({ id, address }) => [id, addressKey(address)]));
  return {
    origin_server: new Map([...addresses].map(([id, key]) => [id, [{ addressKey: key, enabled: true }]])),
    load_balancer: new Map(
      loadBalancers.map(({ id, origins }) => [
        id,
        origins.flatMap(({ originServer, enabled }): BackendOrigin[] => {
          const key = addresses.get(originServer);
          return key === undefined ? [] : [{ addressKey: key, enabled }];
        }),
      ]),
    ),
  };
}
