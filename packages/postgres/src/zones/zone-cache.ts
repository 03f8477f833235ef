import type { StoredDocument, Zone, ZoneState } from '@zonewright/core';
import { LruCache } from '@zonewright/gate';

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

/** Cached zones. */
export interface ZoneCache {
  /** Zones without nested objects, by id and version. */
  readonly zones: LruCache<CachedZone>;
  /** The latest state of each zone with nested objects, by id. */
  readonly states: LruCache<CachedState>;
  /** Edge documents by digest, compressed: of many edges that ask for one, few read it. */
  readonly documents: LruCache<StoredDocument>;
}

/** Default cache size in bytes: some thousand zones, and some hundred with nested objects. */
export const zoneCacheBytes = 12 * 2 ** 20;

/** Creates the cache of one database. */
export const zoneCache = (maxBytes = zoneCacheBytes): ZoneCache => ({
  zones: new LruCache(maxBytes),
  states: new LruCache(maxBytes),
  documents: new LruCache(maxBytes),
});
