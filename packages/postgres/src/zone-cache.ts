import { LruCache, type Zone, type ZoneState } from '@zonewright/core';

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

/** Cached zones. */
export interface ZoneCache {
  /** Zones without nested objects, by id and state. */
  readonly zones: LruCache<CachedZone>;
  /** The latest known state of each zone with nested objects, by id. */
  readonly states: LruCache<CachedState>;
}

/** Default cache size in bytes of each: some thousand zones, and some hundred with nested objects. */
export const zoneCacheBytes = 12 * 2 ** 20;

/** Creates the cache of one database. */
export const zoneCache = (maxBytes = zoneCacheBytes): ZoneCache => ({
  zones: new LruCache(maxBytes),
  states: new LruCache(maxBytes),
});
