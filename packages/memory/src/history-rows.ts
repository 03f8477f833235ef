import type { BackendRevisionSummary, JsonObject, NewRevision } from '@zonewright/core';

/** A change of a zone, with the whole document where it has a snapshot. */
export interface RevisionRow extends NewRevision {
  readonly createdAt: Date;
  /** The number of the commit that made it. */
  readonly commit: number;
}

/** A change of a backend, with what clients write of it. */
export interface BackendRevisionRow extends BackendRevisionSummary {
  readonly state: JsonObject;
  /** The number of the commit that made it. */
  readonly commit: number;
}
