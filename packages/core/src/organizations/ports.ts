import type { ResultAsync } from 'neverthrow';
import type { Membership } from '../access/caller.ts';
import type { Role } from '../access/role.ts';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { MemberNotFound, OrganizationNotFound } from './errors.ts';
import type { Member } from './member.ts';
import type { Organization, OrganizationDraft, OrganizationSettings } from './organization.ts';

/** Organizations and who belongs to them. */
export interface Organizations {
  /** Founds an organization with one member, its owner. */
  found(organization: OrganizationDraft & { readonly owner: UserId }): ResultAsync<Organization, never>;
  /** Makes other units that found organizations for the user wait; resolves to the number the user owns. */
  lockOwnedCount(user: UserId): ResultAsync<number, never>;
  /** Those of the organizations that exist, by name. */
  list(ids: readonly OrganizationId[], page: PageRequest): ResultAsync<Page<Organization>, never>;
  byId(id: OrganizationId): ResultAsync<Organization, OrganizationNotFound>;
  /** Makes other units that change the organization, its members or the number of its zones wait. */
  lock(id: OrganizationId): ResultAsync<Organization, OrganizationNotFound>;
  /** Changes a locked organization. */
  save(id: OrganizationId, settings: OrganizationSettings): ResultAsync<Organization, never>;
  /** Removes a locked organization that has no zones. */
  remove(id: OrganizationId): ResultAsync<void, never>;
  /** Number of zones. */
  zoneCount(id: OrganizationId): ResultAsync<number, never>;
  /** The user's membership now; it cannot change before the unit ends. Undefined: no member, or no such organization. */
  lockMembership(organization: OrganizationId, user: UserId): ResultAsync<Membership | undefined, never>;
  /** The user's organizations that demand a second factor; none of them can start or stop doing so before the unit ends. */
  lockEnforcing(user: UserId): ResultAsync<readonly OrganizationId[], never>;
  /** Members, oldest membership first. */
  members(id: OrganizationId, page: PageRequest): ResultAsync<Page<Member>, never>;
  member(id: OrganizationId, user: UserId): ResultAsync<Member, MemberNotFound>;
  memberCount(id: OrganizationId): ResultAsync<number, never>;
  ownerCount(id: OrganizationId): ResultAsync<number, never>;
  /** Adds a member; succeeds without a change when the user is one already. */
  addMember(id: OrganizationId, user: UserId, role: Role): ResultAsync<Member, never>;
  setRole(id: OrganizationId, user: UserId, role: Role): ResultAsync<Member, MemberNotFound>;
  removeMember(id: OrganizationId, user: UserId): ResultAsync<void, MemberNotFound>;
  /** Whether the two users are members of one organization; if some are named, of one of those. */
  shareOrganization(one: UserId, other: UserId, among?: readonly OrganizationId[]): ResultAsync<boolean, never>;
}
