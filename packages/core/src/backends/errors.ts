import type { BackendUser } from './backend-user.ts';

/** The organization has no origin server of this id. */
export const originServerNotFound = () => ({ type: 'OriginServerNotFound' }) as const;
export type OriginServerNotFound = ReturnType<typeof originServerNotFound>;

/** The organization has no load balancer of this id. */
export const loadBalancerNotFound = () => ({ type: 'LoadBalancerNotFound' }) as const;
export type LoadBalancerNotFound = ReturnType<typeof loadBalancerNotFound>;

/** The organization has a backend of the same kind with this name. */
export const backendNameTaken = () => ({ type: 'BackendNameTaken' }) as const;
export type BackendNameTaken = ReturnType<typeof backendNameTaken>;

/** The organization has an origin server with this address and port. */
export const originAddressTaken = () => ({ type: 'OriginAddressTaken' }) as const;
export type OriginAddressTaken = ReturnType<typeof originAddressTaken>;

/** Something still sends requests to the backend; `users` are the first hundred. */
export const backendInUse = (users: readonly BackendUser[]) => ({ type: 'BackendInUse', users }) as const;
export type BackendInUse = ReturnType<typeof backendInUse>;
