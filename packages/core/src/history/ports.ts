import type { ResultAsync } from 'neverthrow';
import type { BackendId } from '../backends/backend-reference.ts';
import type { BackendsOfOrganization } from '../backends/ports.ts';
import type { OrganizationId, ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { BackendOfOrganization, BackendRevision, BackendRevisionSummary, ZoneMoment } from './backend-revision.ts';
import type { RevisionNotFound } from './errors.ts';
import type { Revision, RevisionSummary } from './revision.ts';
import type { ZoneDocument } from './zone-document.ts';

/** A revision to store; some include a snapshot, which bounds the patches to replay for any state. */
export interface NewRevision extends Omit<Revision, 'createdAt'> {
  readonly snapshot: JsonDocument<ZoneDocument> | undefined;
  /** Total bytes of the patches since the latest snapshot, this revision included; 0 if it has a snapshot. */
  readonly replayBytes: number;
}

/** A snapshot and the patches that lead from it to a later revision, oldest first. */
export interface PatchChain {
  readonly snapshot: JsonDocument<ZoneDocument>;
  readonly patches: readonly JsonDocument<JsonObject>[];
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
  byNumber(zone: ZoneId, number: number): ResultAsync<Revision, RevisionNotFound>;
  /** How to reconstruct a revision: from the latest snapshot at or before it. */
  patchChain(zone: ZoneId, number: number): ResultAsync<PatchChain, RevisionNotFound>;
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
