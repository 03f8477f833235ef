import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { JsonObject } from '../../kernel/shared/json.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';
import type { BackendId, BackendKind } from '../../organizations/backends/backend-reference.ts';

/** Identifies an origin server or load balancer of an organization, deleted ones included. */
export interface BackendOfOrganization {
  readonly organizationId: OrganizationId;
  readonly kind: BackendKind;
  readonly id: BackendId;
}

/** Who changed what in a backend, and when. */
export interface BackendRevisionSummary {
  readonly backend: BackendOfOrganization;
  /** Counted per backend from 1. Missing numbers are no longer kept. */
  readonly number: number;
  readonly action: AuditAction;
  /** Absent if the account has been deleted, or for backends older than their history. */
  readonly author: UserId | undefined;
  readonly createdAt: Date;
}

/** Of a backend's older history, the first revision and every hundredth are kept. */
export const backendSnapshotInterval = 100;

/** One change of a backend. The documents hold its client-supplied part, and are empty where it does not exist. */
export interface BackendRevision extends BackendRevisionSummary {
  readonly before: JsonObject;
  readonly state: JsonObject;
}

/** A moment in a zone's history: when a revision was created, or the last moment it was current. */
export type ZoneMoment = { readonly whenMade: number } | { readonly lastDuring: number };
