import type { ResultAsync } from 'neverthrow';
import type { Membership } from '../access/caller.ts';
import type { Role } from '../access/role.ts';
import type { OrganizationId, UserId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { OrganizationLimits, Usage } from '../usage-limits/usage-limits.ts';
import type { MemberNotFound, OrganizationNotFound } from './errors.ts';
import type { Member } from './member.ts';
import type { Organization, OrganizationDraft, OrganizationSettings } from './organization.ts';

/** Organizations themselves; who belongs to them is in `Members`. */
export interface Organizations {
  /** Creates an organization with one member, its owner. */
  create(organization: OrganizationDraft & { readonly owner: UserId }): ResultAsync<Organization, never>;
  /** Makes other units that create organizations for the user wait; resolves to how many the user owns, and may own. */
  lockOwned(user: UserId): ResultAsync<Usage, never>;
  /** Those of the organizations that exist, by name. */
  list(ids: readonly OrganizationId[], page: PageRequest): ResultAsync<Page<Organization>, never>;
  byId(id: OrganizationId): ResultAsync<Organization, OrganizationNotFound>;
  /** Makes other units that change the organization, its members or the number of its zones wait. */
  lock(id: OrganizationId): ResultAsync<Organization, OrganizationNotFound>;
  /** Changes a locked organization. */
  save(id: OrganizationId, settings: OrganizationSettings): ResultAsync<Organization, never>;
  /** Removes a locked organization that has no zones. */
  remove(id: OrganizationId): ResultAsync<void, never>;
}

/** The limits that organizations have of their own; what is in force in an organization comes with whatever is counted. */
export interface OwnLimits {
  of(organization: OrganizationId): ResultAsync<OrganizationLimits, OrganizationNotFound>;
  /** Gives a locked organization exactly these, and another revision: what was decided on others is decided again. */
  set(organization: OrganizationId, own: OrganizationLimits): ResultAsync<void, never>;
}

/** The members of organizations. Who changes them has locked the organization, so that an owner is left. */
export interface Members {
  /** Oldest membership first. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<Member>, never>;
  byUser(organization: OrganizationId, user: UserId): ResultAsync<Member, MemberNotFound>;
  count(organization: OrganizationId): ResultAsync<number, never>;
  ownerCount(organization: OrganizationId): ResultAsync<number, never>;
  /** Adds a member; succeeds without a change when the user is one already. */
  add(organization: OrganizationId, user: UserId, role: Role): ResultAsync<Member, never>;
  setRole(organization: OrganizationId, user: UserId, role: Role): ResultAsync<Member, MemberNotFound>;
  remove(organization: OrganizationId, user: UserId): ResultAsync<void, MemberNotFound>;
}

/** What users may do in organizations, for units that rely on it until they end. */
export interface Memberships {
  /** The user's membership now; it cannot change before the unit ends. Undefined: no member, or no such organization. */
  lock(organization: OrganizationId, user: UserId): ResultAsync<Membership | undefined, never>;
  /** The user's organizations that demand a second factor; none of them can start or stop doing so before the unit ends. */
  lockEnforcing(user: UserId): ResultAsync<readonly OrganizationId[], never>;
  /** Whether the two users are members of one organization; if some are named, of one of those. */
  shareOrganization(one: UserId, other: UserId, among?: readonly OrganizationId[]): ResultAsync<boolean, never>;
}
