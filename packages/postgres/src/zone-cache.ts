import type { Zone, ZoneState, ZoneStatePage } from '@zonewright/core';
import { LruCache } from '@zonewright/gate';
import type { OwnMembership } from './callers.ts';

/** A state and its name, which is unique in the zone's history. */
export interface CachedState {
  readonly name: string;
  readonly state: ZoneState;
}

/** A zone's state, and the bytes of its settings. */
export interface CachedZone {
  readonly zone: Zone;
  readonly bytes: number;
}

/** A page of a list as a user or an API token gets it, and on what it is based. */
export interface CachedPage {
  readonly page: ZoneStatePage;
  /** The caller's memberships in the organizations of its zones. */
  readonly memberships: readonly OwnMembership[];
  /** All memberships of the caller, and the latest changes of zones in those organizations; opaque. */
  readonly basis: string;
}

/** Cached zones. */
export interface ZoneCache {
  /** The latest known page of each request of a user or an API token. */
  readonly pages: LruCache<CachedPage>;
  /** Zones without nested objects, by id and state. */
  readonly zones: LruCache<CachedZone>;
  /** The latest known state of each zone with nested objects, by id. */
  readonly states: LruCache<CachedState>;
}

/** Default cache size in bytes: some thousand zones, some hundred with nested objects, and some thousand pages. */
export const zoneCacheBytes = 12 * 2 ** 20;

/** Creates the cache of one database. */
export const zoneCache = (maxBytes = zoneCacheBytes): ZoneCache => ({
  pages: new LruCache(maxBytes / 4),
  zones: new LruCache(maxBytes),
  states: new LruCache(maxBytes),
});
