import type { ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { OrganizationLimits, Usage } from '../../kernel/usage-limits/usage-limits.ts';
import type { Role } from '../access/role.ts';
import type { MemberNotFound, OrganizationNotFound } from './errors.ts';
import type { Member } from './member.ts';
import type { Organization, OrganizationDraft, OrganizationSettings } from './organization.ts';

/** Organizations without their members, which are in `Members`. */
export interface Organizations {
  /** Creates an organization with one member, its owner. */
  create(organization: OrganizationDraft & { readonly owner: UserId }): ResultAsync<Organization, never>;
  /**
   * Makes other units that create organizations for the user wait; resolves to how many the user owns, and the limit.
   */
  lockOwned(user: UserId): ResultAsync<Usage, never>;
  /** The existing ones of the organizations, ordered by name. */
  list(ids: readonly OrganizationId[], page: PageRequest): ResultAsync<Page<Organization>, never>;
  byId(id: OrganizationId): ResultAsync<Organization, OrganizationNotFound>;
  /** Makes other units wait that change the organization, its members or its number of zones. */
  lock(id: OrganizationId): ResultAsync<Organization, OrganizationNotFound>;
  /** Changes a locked organization. */
  save(id: OrganizationId, settings: OrganizationSettings): ResultAsync<Organization, never>;
  /** Removes a locked organization that has no zones. */
  remove(id: OrganizationId): ResultAsync<void, never>;
}

/** How many zones organizations have; what a zone is, they do not know. */
export interface ZoneCounts {
  /** The number of zones of the organization. */
  count(organization: OrganizationId): ResultAsync<number, never>;
}

/** The limits set for single organizations; the limits in force come with the counts they apply to. */
export interface LimitOverrides {
  of(organization: OrganizationId): ResultAsync<OrganizationLimits, OrganizationNotFound>;
  /**
   * Replaces a locked organization's own limits and raises its revision: concurrent writes decided under the old limits
   * are decided again.
   */
  set(organization: OrganizationId, own: OrganizationLimits): ResultAsync<void, never>;
}

/**
 * What organizations store and may store, in bytes of text: the settings and rules of their zones, deleted ones
 * included, with histories, drafts and promotions, and `bytesPerRow` for each of those. The limit is `storageBytes`.
 */
export interface StorageQuotas {
  /** Nothing for an organization that does not exist. */
  of(organization: OrganizationId): ResultAsync<Usage, never>;
  /**
   * The same, for a unit that is to store `more` bytes. If the organization then has more than `bytesWithoutQueue`, other such
   * units wait until this one ends. Everything else that the unit locks in an organization must be locked before.
   */
  lock(organization: OrganizationId, more: number): ResultAsync<Usage, never>;
}

/** The members of organizations. A unit must lock the organization before changing them, so that an owner remains. */
export interface Members {
  /** Oldest membership first. */
  list(organization: OrganizationId, page: PageRequest): ResultAsync<Page<Member>, never>;
  byUser(organization: OrganizationId, user: UserId): ResultAsync<Member, MemberNotFound>;
  count(organization: OrganizationId): ResultAsync<number, never>;
  ownerCount(organization: OrganizationId): ResultAsync<number, never>;
  /** Adds a member; does nothing if the user already is one. */
  add(organization: OrganizationId, user: UserId, role: Role): ResultAsync<Member, never>;
  setRole(organization: OrganizationId, user: UserId, role: Role): ResultAsync<Member, MemberNotFound>;
  remove(organization: OrganizationId, user: UserId): ResultAsync<void, MemberNotFound>;
}
