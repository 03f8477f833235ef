import {
  BackendAddress,
  type BackendId,
  BackendName,
  type LoadBalancerOrigin,
  type WrittenLoadBalancer,
  type WrittenOriginServer,
} from '@zonewright/core';
import { aBackendId, unique } from './ids.ts';

/** An origin server with a unique name and address. */
export const anOriginServer = (
  given: Partial<WrittenOriginServer> & Pick<WrittenOriginServer, 'organizationId'>,
): WrittenOriginServer => ({
  id: aBackendId(),
  name: BackendName.parse(`Origin ${unique()}`),
  protocol: 'https',
  address: BackendAddress.parse(`origin-${unique()}.example.net`),
  port: 443,
  requestHostname: undefined,
  ...given,
});

/** A load balancer with a unique name. */
export const aLoadBalancer = (
  given: Partial<WrittenLoadBalancer> & Pick<WrittenLoadBalancer, 'organizationId' | 'origins'>,
): WrittenLoadBalancer => ({
  id: aBackendId(),
  name: BackendName.parse(`Balancer ${unique()}`),
  method: 'random',
  requestHostname: undefined,
  ...given,
});

/** An origin of a load balancer. */
export const anOrigin = (originServer: BackendId, given: Partial<LoadBalancerOrigin> = {}): LoadBalancerOrigin => ({
  originServer,
  weight: 1,
  enabled: true,
  ...given,
});

/** Options for saving a load balancer with other origins, without an author. */
export const newOrigins = { author: undefined, originsChange: true } as const;
