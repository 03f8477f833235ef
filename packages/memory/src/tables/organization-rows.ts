import type {
  Invitation,
  Organization,
  OrganizationLimits,
  RetentionOverrides,
  Role,
  TokenHash,
  UserId,
} from '@zonewright/core';

/** A user's membership in an organization. */
export interface MemberRow {
  readonly role: Role;
  readonly joinedAt: Date;
}

/** An organization with its members by user. */
export interface OrganizationRow extends Omit<Organization, 'id' | 'limits'> {
  /** The limits set for it. */
  readonly limits?: OrganizationLimits;
  readonly members: ReadonlyMap<UserId, MemberRow>;
  readonly retention: RetentionOverrides;
}

/** The stored `status` may still be pending after the expiry. */
export interface InvitationRow extends Invitation {
  readonly invitedBy: UserId;
  readonly hash: TokenHash;
}
