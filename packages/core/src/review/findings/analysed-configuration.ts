import type { LoadBalancer, OriginServer } from '@zonewright/engine';
import type { BackendsOfOrganization } from '../../organizations/backends/ports.ts';
import type { ZoneDocument } from '../../zones/history/zone-document.ts';

/** The input of an analysis. It is plain JSON, so that it can be sent to another thread and compared as text. */
export interface AnalysedConfiguration {
  /** A document of any age: the engine reads old ones. */
  readonly document: ZoneDocument;
  readonly backends: AnalysedBackends;
}

/** Two configurations, each with its backends. */
export interface ComparedConfigurations {
  readonly before: AnalysedConfiguration;
  readonly after: AnalysedConfiguration;
}

/** The properties of backends that affect what happens to requests. */
export interface AnalysedBackends {
  readonly originServers: readonly OriginServer[];
  readonly loadBalancers: readonly LoadBalancer[];
}

/** The backends of an organization, reduced to their content. */
export const analysedBackends = ({ originServers, loadBalancers }: BackendsOfOrganization): AnalysedBackends => ({
  originServers: originServers.map(({ id, protocol, address, port, requestHostname = null }) => ({
    id,
    protocol,
    address,
    port,
    requestHostname,
  })),
  loadBalancers: loadBalancers.map(({ id, method, requestHostname = null, origins }) => ({
    id,
    method,
    requestHostname,
    origins: origins.map(({ originServer, weight, enabled }) => ({ originServer, weight, enabled })),
  })),
});
