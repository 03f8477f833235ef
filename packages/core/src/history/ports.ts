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

/** A revision to be written down; some come with the whole document, so that no state is far from one. */
export interface NewRevision extends Omit<Revision, 'createdAt'> {
  readonly snapshot: JsonDocument<ZoneDocument> | undefined;
  /** Bytes of the patches from the latest snapshot up to this revision, its own included; 0 if it has a snapshot. */
  readonly replayBytes: number;
}

/** A whole document, and the patches that lead from it to a later revision, oldest first. */
export interface Trail {
  readonly snapshot: JsonDocument<ZoneDocument>;
  readonly patches: readonly JsonDocument<JsonObject>[];
}

/**
 * What happened to zones. Revisions are gone once a deleted zone cannot be brought back any more. Storage may also remove old ones, but
 * none that one that is left is read from, nor the current one, nor the base of a draft.
 */
export interface ZoneHistory {
  /** Adds a revision of a locked zone. */
  add(revision: NewRevision): ResultAsync<void, never>;
  /** Newest first. Patches are not read. */
  list(zone: ZoneId, page: PageRequest): ResultAsync<Page<RevisionSummary>, never>;
  byNumber(zone: ZoneId, number: number): ResultAsync<Revision, RevisionNotFound>;
  /** How to come to the state of a revision from the latest snapshot that is not after it. */
  trail(zone: ZoneId, number: number): ResultAsync<Trail, RevisionNotFound>;
}

/**
 * What happened to origin servers and load balancers. `OriginServers` and `LoadBalancers` write it along with each change.
 * Revisions of a deleted backend stay at least as long as a revision of a zone names it, directly or as an origin behind a
 * load balancer.
 */
export interface BackendHistory {
  /** Newest first; none of a backend that the organization never had. Documents are not read. */
  list(backend: BackendOfOrganization, page: PageRequest): ResultAsync<Page<BackendRevisionSummary>, never>;
  byNumber(backend: BackendOfOrganization, number: number): ResultAsync<BackendRevision, RevisionNotFound>;
  /**
   * Those of the backends that the zone's organization had at the moment, and the origin servers behind them. The last
   * moment of the current revision is now.
   */
  asOf(
    zone: { readonly id: ZoneId; readonly organizationId: OrganizationId },
    moment: ZoneMoment,
    backends: readonly BackendId[],
  ): ResultAsync<BackendsOfOrganization, never>;
}
