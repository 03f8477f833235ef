import type { OrganizationId, Zone, ZoneId, ZoneState } from '@zonewright/core';
import { LruCache } from '@zonewright/gate';
import type { GrantedMembership } from '../session/callers.ts';

/** Names one immutable version of a zone's contents. */
export interface ZoneVersion {
  readonly id: ZoneId;
  readonly organizationId: OrganizationId;
  /** Unique among the versions of this zone, also after a database restore. */
  readonly version: string;
}

/** A page of a list of zones, whose contents are not read yet. */
export interface ZoneVersionPage {
  readonly zones: readonly ZoneVersion[];
  readonly totalItems: number;
}

/** A state and its version. */
export interface CachedState {
  readonly version: string;
  readonly state: ZoneState;
}

/** A zone without nested objects, and the bytes of its settings. */
export interface CachedZone {
  readonly zone: Zone;
  readonly bytes: number;
}

/** A page of a list for one caller, with its basis. */
export interface CachedPage {
  readonly page: ZoneVersionPage;
  /** All that the credential grants. */
  readonly memberships: readonly GrantedMembership[];
  /** The caller's memberships and the latest changes of zones in those organizations; opaque. */
  readonly basis: string;
}

/** Cached zones. */
export interface ZoneCache {
  /** The latest page of each request of a user or an API token. */
  readonly pages: LruCache<CachedPage>;
  /** Zones without nested objects, by id and version. */
  readonly zones: LruCache<CachedZone>;
  /** The latest state of each zone with nested objects, by id. */
  readonly states: LruCache<CachedState>;
  /** Edge documents by digest, compressed: of many edges that ask for one, few read it. */
  readonly documents: LruCache<Uint8Array>;
}

/** Default cache size in bytes: some thousand zones, some hundred with nested objects, and some thousand pages. */
export const zoneCacheBytes = 12 * 2 ** 20;

/** Creates the cache of one database. */
export const zoneCache = (maxBytes = zoneCacheBytes): ZoneCache => ({
  pages: new LruCache(maxBytes / 4),
  zones: new LruCache(maxBytes),
  states: new LruCache(maxBytes),
  documents: new LruCache(maxBytes),
});
