import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import type { JsonDocument, JsonObject } from '../../kernel/shared/json.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { BackendId } from '../../organizations/backends/backend-reference.ts';
import type { BackendsOfOrganization } from '../../organizations/backends/ports.ts';
import type { BackendOfOrganization, BackendRevision, BackendRevisionSummary, ZoneMoment } from './backend-revision.ts';
import type { RevisionNotFound, RevisionSummary } from './revision.ts';
import type { ZoneDocument } from './zone-document.ts';

/** How to put a state together from those of two earlier revisions, which are no such references themselves. */
export interface RestoredState {
  /** The revision with the settings and rules. */
  readonly contentsFrom: number;
  /** The revision with everything else. */
  readonly restFrom: number;
  /** A merge patch from there to the state, if they differ. */
  readonly adjustment: JsonDocument<JsonObject> | undefined;
}

/** The state of a revision as stored: whole, as the patch from the previous revision, or as a reference. */
export interface StoredState {
  readonly snapshot: JsonDocument<ZoneDocument> | undefined;
  readonly patch: JsonDocument<JsonObject> | undefined;
  readonly restored: RestoredState | undefined;
  /** What replaying costs, as if all of it were bytes of patches; 0 for a snapshot. */
  readonly replayBytes: number;
}

/** A revision to store. */
export interface NewRevision extends Omit<RevisionSummary, 'createdAt'>, StoredState {}

/** A revision without its state. */
export interface RecordedRevision extends RevisionSummary, Pick<StoredState, 'restored' | 'replayBytes'> {
  /** The number of the latest revision before it that is kept. */
  readonly previous: number | undefined;
  /** The patch to the revision before, if that one is not kept. */
  readonly inverse: JsonDocument<JsonObject>;
}

/** A revision of which the state of another one is made. */
export interface TrailRevision extends Omit<StoredState, 'replayBytes'> {
  readonly number: number;
}

/**
 * Revisions of zones. They are removed when a deleted zone expires. Storage may also remove old ones, except the
 * current one, bases of drafts, and those needed to reconstruct any that remain.
 */
export interface ZoneHistory {
  /** Adds a revision of a locked zone. */
  add(revision: NewRevision): ResultAsync<void, never>;
  /** Newest first, without patches. */
  list(zone: ZoneId, page: PageRequest): ResultAsync<Page<RevisionSummary>, never>;
  byNumber(zone: ZoneId, number: number): ResultAsync<RecordedRevision, RevisionNotFound>;
  /**
   * Everything to reconstruct a revision, oldest first: it, and those back to the latest one with a snapshot or a
   * reference; of a reference also everything to reconstruct its two revisions.
   */
  trail(zone: ZoneId, number: number): ResultAsync<readonly TrailRevision[], RevisionNotFound>;
}

/**
 * Revisions of origin servers and load balancers, which `OriginServers` and `LoadBalancers` write along with each
 * change. Revisions of a deleted backend are kept as long as a revision of a zone refers to it, directly or as an origin
 * of a load balancer. Storage may remove old ones as it does for zones, but neither the current state of a backend nor the
 * state it had when a remaining revision of a zone was made.
 */
export interface BackendHistory {
  /** Newest first, without documents; empty if the organization never had the backend. */
  list(backend: BackendOfOrganization, page: PageRequest): ResultAsync<Page<BackendRevisionSummary>, never>;
  byNumber(backend: BackendOfOrganization, number: number): ResultAsync<BackendRevision, RevisionNotFound>;
  /**
   * Which of the backends the zone's organization had at the moment, with their origin servers. The last moment of the
   * current revision is now.
   */
  asOf(
    zone: { readonly id: ZoneId; readonly organizationId: OrganizationId },
    moment: ZoneMoment,
    backends: readonly BackendId[],
  ): ResultAsync<BackendsOfOrganization, never>;
}
