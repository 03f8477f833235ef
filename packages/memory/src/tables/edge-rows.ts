import type {
  Edge,
  EdgeStage,
  FeedPosition,
  FeedZone,
  PublishedZone,
  StateReport,
  StoredDocument,
  TokenHash,
} from '@zonewright/core';

/** An edge with the hashes of its secrets. */
export interface EdgeRow {
  readonly edge: Edge;
  readonly tokenHash: TokenHash | undefined;
  readonly tokenExpiresAt: Date;
  readonly keyHash: TokenHash | undefined;
}

/** The last report of an edge. */
export interface EdgeStateRow {
  readonly report: Omit<StateReport, 'position'>;
  readonly position: number | undefined;
  readonly reportedAt: Date;
}

/** What edges of a stage are offered of a zone. */
export interface EdgeZoneRow extends FeedZone, Pick<PublishedZone, 'tag' | 'organizationId' | 'revision'> {
  readonly stage: EdgeStage;
  /** All that the zone has had, so that edges that serve only some can remove it. */
  readonly formerTags: readonly PublishedZone['tag'][];
  /** Of canary edges: whether the others are not offered it yet. */
  readonly isPending: boolean;
  readonly isHalted: boolean;
  readonly publishedAt: Date;
  /** When the last canary edge so far applied a pending change. */
  readonly appliedAt: Date | undefined;
  readonly currentSince: Date | undefined;
}

/** A document. */
export interface EdgeDocumentRow extends StoredDocument {
  readonly publishedAt: Date;
}

/** Where a publication ended. */
export type PublicationRow = Pick<FeedPosition, 'number' | 'nonce'>;
