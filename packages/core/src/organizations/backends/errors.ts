import type { BackendUser } from './backend-user.ts';

/** The organization has no origin server with this id. */
export const originServerNotFound = () => ({ type: 'OriginServerNotFound' }) as const;
export type OriginServerNotFound = ReturnType<typeof originServerNotFound>;

/** The organization has no load balancer with this id. */
export const loadBalancerNotFound = () => ({ type: 'LoadBalancerNotFound' }) as const;
export type LoadBalancerNotFound = ReturnType<typeof loadBalancerNotFound>;

/** The organization already has a backend of the same kind with this name. */
export const backendNameTaken = () => ({ type: 'BackendNameTaken' }) as const;
export type BackendNameTaken = ReturnType<typeof backendNameTaken>;

/** The organization already has an origin server with this address and port. */
export const originAddressTaken = () => ({ type: 'OriginAddressTaken' }) as const;
export type OriginAddressTaken = ReturnType<typeof originAddressTaken>;

/** Zones that the API token is not limited to use the backend, and a change would reach them. */
export const backendUsedElsewhere = () => ({ type: 'BackendUsedElsewhere' }) as const;
export type BackendUsedElsewhere = ReturnType<typeof backendUsedElsewhere>;

/** The backend is in use; `users` lists the first hundred. */
export const backendInUse = (users: readonly BackendUser[]) => ({ type: 'BackendInUse', users }) as const;
export type BackendInUse = ReturnType<typeof backendInUse>;
