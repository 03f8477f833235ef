import type { NamedZone } from '@zonewright/edge-protocol';
import type { Rejection } from '../documents/rejection.ts';
import type { RejectedZone } from '../state/stored-table.ts';

/** A zone and the document that the service names for it. */
export type OfferedZone = Pick<NamedZone, 'id' | 'digest'>;

/** The zones that the edge serves, on disk and in memory. */
export interface HeldZones {
  /** The position of the last answer that was applied completely; undefined: none. */
  readonly position: string | undefined;
  /** The digest of each zone's document. */
  digests(): ReadonlyMap<string, string>;
  /** Zones whose newest document is not used. */
  rejected(): readonly RejectedZone[];
  /** Checks, stores and serves a document; undefined if it is in use now. */
  accept(zone: OfferedZone, bytes: Buffer): Promise<Rejection | undefined>;
  /** Remembers that a document is not used; the last good one of the zone stays. */
  reject(zone: OfferedZone, rejection: Rejection): void;
  /** Serves the zone no more, and forgets that a document of it was rejected. */
  remove(id: string): void;
  /** Writes everything to disk. Without a position, the last one stays. */
  commit(position: string | undefined): Promise<void>;
}
