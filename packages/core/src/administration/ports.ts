import type { ResultAsync } from 'neverthrow';
import type { RecordedAuditEntry } from '../audit/audit-entry.ts';
import type { Organization } from '../organizations/organization.ts';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { OwnRetention, Retained, Retention } from './retention.ts';

/**
 * Accounts that the operator switched off. Nothing happens where there is no such account. A block holds everywhere as soon
 * as the unit is committed: for sessions, API tokens and whatever was issued to the account before.
 */
export interface AccountBlocks {
  /** Blocks the account; its pending invitations are revoked, and stay so when it is unblocked. */
  block(id: UserId): ResultAsync<void, never>;
  unblock(id: UserId): ResultAsync<void, never>;
}

/** An organization, and how much there is in it. */
export interface OrganizationEntry extends Organization {
  readonly members: number;
  readonly zones: number;
}

/** Where a list goes on, and how many of its items are wanted at once. */
export interface Stretch<Id> {
  /** The last item of the stretch before; undefined: from the beginning. */
  readonly after: Id | undefined;
  readonly limit: number;
}

/** Everything of an installation, across all organizations. */
export interface Directory {
  /** In the order of their ids. */
  organizations(stretch: Stretch<OrganizationId>): ResultAsync<readonly OrganizationEntry[], never>;
  /** Of all organizations and of none, in the order of recording. An entry appears when its unit is committed. */
  auditEntries(stretch: Stretch<string>): ResultAsync<readonly RecordedAuditEntry[], never>;
}

/** How long the operator keeps what belongs to single organizations. Storage removes the rest by itself, some time later. */
export interface Retentions {
  of(organization: OrganizationId): ResultAsync<OwnRetention, never>;
  /** Undefined: as long as the installation keeps it. Nothing happens where there is no such organization. */
  set(organization: OrganizationId, what: Retained, retention: Retention | undefined): ResultAsync<void, never>;
}
