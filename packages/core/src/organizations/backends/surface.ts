/** What others may use of backends. */

export {
  addressKey,
  anyOriginNetwork,
  BackendAddress,
  type OriginNetworks,
  originNetworksIn,
  type RequestHostname,
} from './address.ts';
export * from './backend.ts';
export { BackendId, type BackendKind, BackendReference, backendKind } from './backend-reference.ts';
export { type BackendUser, maxUsers } from './backend-user.ts';
export * from './errors.ts';
export {
  type LoadBalancer,
  LoadBalancerDraft,
  type LoadBalancerOrigin,
  loadBalancerDocument,
  type WrittenLoadBalancer,
} from './load-balancer.ts';
export {
  type OriginServer,
  OriginServerDraft,
  originServerDocument,
  originServerDraftIn,
  type WrittenOriginServer,
} from './origin-server.ts';
export type * from './ports.ts';
