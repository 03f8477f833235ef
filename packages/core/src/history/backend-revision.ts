import type { AuditAction } from '../audit/audit-entry.ts';
import type { BackendId, BackendKind } from '../backends/backend-reference.ts';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { JsonObject } from '../shared/merge-patch.ts';

/** Names an origin server or a load balancer of an organization, also one that was deleted. */
export interface BackendOfOrganization {
  readonly organizationId: OrganizationId;
  readonly kind: BackendKind;
  readonly id: BackendId;
}

/** Who changed what of a backend, and when. */
export interface BackendRevisionSummary {
  readonly backend: BackendOfOrganization;
  /** The backend's own: 1 and up, without gaps. */
  readonly number: number;
  readonly action: AuditAction;
  /** Absent once the account is gone, and for what was there before history began. */
  readonly author: UserId | undefined;
  readonly createdAt: Date;
}

/** One change of a backend. Its documents hold what clients write of it; one that is not there is empty. */
export interface BackendRevision extends BackendRevisionSummary {
  readonly before: JsonObject;
  readonly state: JsonObject;
}

/** A moment in the history of a zone: when a revision was made, or the last one at which it was the current revision. */
export type ZoneMoment = { readonly whenMade: number } | { readonly lastDuring: number };
