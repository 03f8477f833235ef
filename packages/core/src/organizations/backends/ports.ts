import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { BackendStamp } from './backend.ts';
import type { BackendId, BackendKind, BackendReference } from './backend-reference.ts';
import type { BackendUser } from './backend-user.ts';
import type { BackendNameTaken, LoadBalancerNotFound, OriginAddressTaken, OriginServerNotFound } from './errors.ts';
import type { LoadBalancer, WrittenLoadBalancer } from './load-balancer.ts';
import type { OriginServer, WrittenOriginServer } from './origin-server.ts';

/** An origin server of a backend, reduced to what loop checks need. */
export interface BackendOrigin {
  /** The address in canonical form (`addressKey`). */
  readonly addressKey: string;
  readonly enabled: boolean;
}

/** The origin servers of each existing backend, by the backend's kind and id. */
export type PresentBackends = { readonly [K in BackendKind]: ReadonlyMap<BackendId, readonly BackendOrigin[]> };

/**
 * Origin servers and load balancers of organizations, for code that refers to either.
 *
 * Lock order: zones, then origin servers by id, then load balancers by id.
 */
export interface Backends {
  /**
   * Locks those of the backends that exist in the organization and resolves to their origin servers (an origin server
   * has itself). Until the unit ends, neither they nor the addresses of their origins can change or be deleted.
   */
  lockPresent(organization: OrganizationId, backends: readonly BackendReference[]): ResultAsync<PresentBackends, never>;
  /** Locks the load balancers that have the origin server as an origin, as `LoadBalancers.lock` does. */
  lockLoadBalancersWith(originServer: BackendId): ResultAsync<readonly BackendId[], never>;
  /** The number of backends of both kinds. */
  count(organization: OrganizationId): ResultAsync<number, never>;
  /**
   * The first hundred users of the backends: zones before rules before load balancers, each ordered by name. With
   * `hosts` (addresses in canonical form), only zones that answer for one of them, by their name or a host name, and
   * their rules.
   */
  users(
    backends: readonly BackendId[],
    filter?: { readonly hosts: readonly string[] },
  ): ResultAsync<readonly BackendUser[], never>;
  /** Whether one of the backends is used by a zone, or a rule of a zone, that is not one of these. */
  areUsedOutside(backends: readonly BackendId[], zones: readonly ZoneId[]): ResultAsync<boolean, never>;
}

/** The backends of an organization. */
export interface BackendsOfOrganization {
  readonly originServers: readonly WrittenOriginServer[];
  readonly loadBalancers: readonly WrittenLoadBalancer[];
}

/** The account that writes a backend; undefined for writes without one. */
type Author = UserId | undefined;

/** What an origin server has in common with another one in the organization that must be unique. */
export type OriginServerClash = BackendNameTaken | OriginAddressTaken;

/**
 * Origin servers of organizations. Names (ignoring case) and pairs of canonical address and port are unique in an
 * organization; a unit must end with the `Err` of a clash. Every write adds a revision to `BackendHistory`.
 */
export interface OriginServers {
  add(server: WrittenOriginServer, author: Author): ResultAsync<BackendStamp, OriginServerClash>;
  /** Ordered by name. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<OriginServer>, never>;
  byId(organization: OrganizationId, id: BackendId): ResultAsync<OriginServer, OriginServerNotFound>;
  /** Locks the origin server for a change or removal: until this unit ends, no other unit can start using it. */
  lock(organization: OrganizationId, id: BackendId): ResultAsync<OriginServer, OriginServerNotFound>;
  /** All clashes of an origin server with others of its organization. */
  clashes(server: WrittenOriginServer): ResultAsync<readonly OriginServerClash[], never>;
  /** Changes a locked origin server. */
  save(server: WrittenOriginServer, author: Author): ResultAsync<BackendStamp, OriginServerClash>;
  /** Removes a locked origin server that no load balancer uses. */
  remove(id: BackendId, author: Author): ResultAsync<void, never>;
}

/**
 * Load balancers of organizations. Names are unique in an organization, ignoring case; a unit must end with the `Err`
 * of a clash. Their origins are origin servers of the same organization. Every write adds a revision to
 * `BackendHistory`.
 */
export interface LoadBalancers {
  /** Adds a load balancer whose origin servers the unit has locked. */
  add(balancer: WrittenLoadBalancer, author: Author): ResultAsync<BackendStamp, BackendNameTaken>;
  /** Ordered by name. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<LoadBalancer>, never>;
  byId(organization: OrganizationId, id: BackendId): ResultAsync<LoadBalancer, LoadBalancerNotFound>;
  /** Locks the load balancer for a change or removal: until this unit ends, no other unit can start using it. */
  lock(organization: OrganizationId, id: BackendId): ResultAsync<LoadBalancer, LoadBalancerNotFound>;
  /** All clashes of a load balancer with others of its organization. */
  clashes(balancer: WrittenLoadBalancer): ResultAsync<readonly BackendNameTaken[], never>;
  /** Changes a locked load balancer. If its origins change, the unit must have locked the new ones first. */
  save(
    balancer: WrittenLoadBalancer,
    change: { readonly author: Author; readonly originsChange: boolean },
  ): ResultAsync<BackendStamp, BackendNameTaken>;
  /** Removes a locked load balancer. */
  remove(id: BackendId, author: Author): ResultAsync<void, never>;
}
