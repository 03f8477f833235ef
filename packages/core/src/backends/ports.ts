import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { BackendStamp } from './backend.ts';
import type { BackendId, BackendKind, BackendReference } from './backend-reference.ts';
import type { BackendUser } from './backend-user.ts';
import type { BackendNameTaken, LoadBalancerNotFound, OriginAddressTaken, OriginServerNotFound } from './errors.ts';
import type { LoadBalancer, WrittenLoadBalancer } from './load-balancer.ts';
import type { OriginServer, WrittenOriginServer } from './origin-server.ts';

/** An origin server behind a backend, as far as those matter who send requests there. */
export interface BackendOrigin {
  /** In the form in which addresses are compared. */
  readonly addressKey: string;
  readonly enabled: boolean;
}

/** The origin servers behind each backend that is there, by the backend's kind and id. */
export type PresentBackends = { readonly [K in BackendKind]: ReadonlyMap<BackendId, readonly BackendOrigin[]> };

/**
 * Origin servers and load balancers of organizations, as those see them who refer to either.
 *
 * Lock order of backends: origin servers by their ids, then load balancers by theirs. Zones are locked before both.
 */
export interface Backends {
  /**
   * Those of the backends that the organization has, with the origin servers behind each; an origin server is behind
   * itself. Neither they nor the addresses of their origins can change before the unit ends, and none can be deleted.
   */
  lockPresent(organization: OrganizationId, backends: readonly BackendReference[]): ResultAsync<PresentBackends, never>;
  /** Locks the load balancers that have the origin server among their origins, as `LoadBalancers.lock` does. */
  lockLoadBalancersWith(originServer: BackendId): ResultAsync<readonly BackendId[], never>;
  /** Number of backends of both kinds. */
  count(organization: OrganizationId): ResultAsync<number, never>;
  /**
   * What uses one of the backends: the first hundred, zones before rules before load balancers, each kind by name. With
   * `zoneNames`, compared ignoring case, only zones of these names and their rules.
   */
  users(
    backends: readonly BackendId[],
    filter?: { readonly zoneNames: readonly string[] },
  ): ResultAsync<readonly BackendUser[], never>;
}

/** Backends of an organization, by what is written of them. */
export interface BackendsOfOrganization {
  readonly originServers: readonly WrittenOriginServer[];
  readonly loadBalancers: readonly WrittenLoadBalancer[];
}

/** Who writes a backend; undefined where no account does. */
type Author = UserId | undefined;

/** What of an origin server another one of the organization has already. */
export type OriginServerClash = BackendNameTaken | OriginAddressTaken;

/**
 * Origin servers of organizations. Names (ignoring case), and addresses in the form in which they are compared with
 * their ports, are unique in an organization; a unit must end with the `Err` of a clash. Whatever is written is a revision
 * in `BackendHistory`.
 */
export interface OriginServers {
  add(server: WrittenOriginServer, author: Author): ResultAsync<BackendStamp, OriginServerClash>;
  /** By name. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<OriginServer>, never>;
  byId(organization: OrganizationId, id: BackendId): ResultAsync<OriginServer, OriginServerNotFound>;
  /** Locks the origin server for a change or its removal: no other unit can begin to use it before this one ends. */
  lock(organization: OrganizationId, id: BackendId): ResultAsync<OriginServer, OriginServerNotFound>;
  /** All clashes an origin server would have with others of its organization. */
  clashes(server: WrittenOriginServer): ResultAsync<readonly OriginServerClash[], never>;
  /** Changes a locked origin server. */
  save(server: WrittenOriginServer, author: Author): ResultAsync<BackendStamp, OriginServerClash>;
  /** Removes a locked origin server that no load balancer has among its origins. */
  remove(id: BackendId, author: Author): ResultAsync<void, never>;
}

/**
 * Load balancers of organizations. Names are unique ignoring case in an organization; a unit must end with the
 * `Err` of a clash. Their origins are origin servers of the same organization. Whatever is written is a revision in
 * `BackendHistory`.
 */
export interface LoadBalancers {
  /** Adds a load balancer whose origin servers the unit has locked. */
  add(balancer: WrittenLoadBalancer, author: Author): ResultAsync<BackendStamp, BackendNameTaken>;
  /** By name. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<LoadBalancer>, never>;
  byId(organization: OrganizationId, id: BackendId): ResultAsync<LoadBalancer, LoadBalancerNotFound>;
  /** Locks the load balancer for a change or its removal: no other unit can begin to use it before this one ends. */
  lock(organization: OrganizationId, id: BackendId): ResultAsync<LoadBalancer, LoadBalancerNotFound>;
  /** All clashes a load balancer would have with others of its organization. */
  clashes(balancer: WrittenLoadBalancer): ResultAsync<readonly BackendNameTaken[], never>;
  /** Changes a locked load balancer. Where its origins change, the unit has locked these origin servers before it. */
  save(
    balancer: WrittenLoadBalancer,
    change: { readonly author: Author; readonly originsChange: boolean },
  ): ResultAsync<BackendStamp, BackendNameTaken>;
  /** Removes a locked load balancer. */
  remove(id: BackendId, author: Author): ResultAsync<void, never>;
}
