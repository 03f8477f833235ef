import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { UserLimitName, UserLimits } from '../../kernel/usage-limits/usage-limits.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { Role } from '../../organizations/access/role.ts';
import type { RecordedAuditEntry } from '../../organizations/audit/audit-entry.ts';
import type { Organization } from '../../organizations/organizations/organization.ts';
import type { Profile } from '../accounts/account.ts';
import type { RetainedData, Retention, RetentionOverrides } from './retention.ts';

/**
 * Blocks of accounts. Nothing happens if the account does not exist. A block takes effect for sessions, API tokens and
 * everything else issued to the account as soon as the unit commits.
 */
export interface AccountBlocks {
  /** Blocks the account and revokes its pending invitations, which stay revoked after unblocking. */
  block(id: UserId): ResultAsync<void, never>;
  unblock(id: UserId): ResultAsync<void, never>;
}

/** An organization in which nobody else is an owner. */
export interface SolelyOwned extends Pick<Organization, 'id' | 'name'> {
  /** The number of other members. */
  readonly others: number;
  readonly zones: number;
}

/** Erasure of accounts, at the wish of the people whose they are. */
export interface AccountErasures {
  /**
   * Locks the account and its organizations until the unit ends; resolves to those in which nobody else is an owner, in
   * order of their ids.
   */
  lockSolelyOwned(user: UserId): ResultAsync<readonly SolelyOwned[], AccountNotFound>;
  /**
   * Removes a locked account with all that belongs to it, the organizations without other members, and the invitations of
   * its address. Pending invitations that it sent are revoked; what else it has made stays without an author.
   */
  erase(user: UserId): ResultAsync<void, never>;
}

/** The limits of a user. */
export interface LimitsOfUser {
  readonly own: UserLimits;
  readonly inForce: Readonly<Record<UserLimitName, number>>;
}

/** The limits set for single users; the limits in force come with the counts they apply to. */
export interface AccountLimits {
  of(user: UserId): ResultAsync<LimitsOfUser, AccountNotFound>;
  /** Replaces a locked account's own limits. */
  set(user: UserId, own: UserLimits): ResultAsync<void, never>;
}

/** An organization and the number of things in it. */
export interface OrganizationEntry extends Organization {
  readonly members: number;
  readonly zones: number;
}

/** An account as operators see it in a list. */
export interface AccountEntry
  extends Pick<Profile, 'id' | 'email' | 'firstName' | 'lastName' | 'active' | 'emailVerified' | 'createdAt'> {
  readonly twoFactorEnabled: boolean;
  /** The number of organizations that the user is a member of. */
  readonly organizations: number;
}

/** A member of an organization as operators see them in a list. */
export interface MemberEntry extends Pick<Profile, 'id' | 'email' | 'firstName' | 'lastName'> {
  readonly role: Role;
  readonly joinedAt: Date;
  readonly twoFactorEnabled: boolean;
}

/** A slice of a list, by keyset. */
export interface KeysetPageRequest<Id> {
  /** The last item of the previous slice; undefined: start at the beginning. */
  readonly after: Id | undefined;
  readonly limit: number;
}

/** Everything in an installation, across all organizations. */
export interface Directory {
  /** Ordered by id, which is the order of registration. */
  accounts(slice: KeysetPageRequest<UserId>): ResultAsync<readonly AccountEntry[], never>;
  /** The members of one organization, ordered by id; none if there is no such organization. */
  members(organization: OrganizationId, slice: KeysetPageRequest<UserId>): ResultAsync<readonly MemberEntry[], never>;
  /** Ordered by id. */
  organizations(slice: KeysetPageRequest<OrganizationId>): ResultAsync<readonly OrganizationEntry[], never>;
  /** Entries of every organization and of none, in the order recorded. An entry appears once its unit commits. */
  auditEntries(slice: KeysetPageRequest<string>): ResultAsync<readonly RecordedAuditEntry[], never>;
}

/** Retention periods of single organizations. Storage removes what has expired some time later. */
export interface Retentions {
  of(organization: OrganizationId): ResultAsync<RetentionOverrides, never>;
  /** Undefined: the installation's default. Nothing happens if the organization does not exist. */
  set(organization: OrganizationId, what: RetainedData, retention: Retention | undefined): ResultAsync<void, never>;
}
