import type { ResultAsync } from 'neverthrow';
import type { OrganizationId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../access/caller.ts';
import { type AccessDenied, lockedMayIn, mayIn } from '../access/permissions.ts';
import type { Memberships } from '../access/ports.ts';
import type { Permission } from '../access/role.ts';
import type { OrganizationNotFound } from './errors.ts';
import type { Organization } from './organization.ts';
import type { Organizations } from './ports.ts';

interface Repositories {
  readonly memberships: Memberships;
  readonly organizations: Organizations;
}

/** No organization has this id, or the caller may not do this in it: organizations of others are denied, not hidden. */
export type OrganizationAccessError = OrganizationNotFound | AccessDenied;

/** The organization, if the caller may do something in it, as of when they were authenticated. */
export const permittedOrganization = (
  { organizations }: Pick<Repositories, 'organizations'>,
  caller: Caller,
  id: OrganizationId,
  permission: Permission,
): ResultAsync<Organization, OrganizationAccessError> =>
  organizations.byId(id).andThrough(() => mayIn(caller, id, permission));

/**
 * Locks the organization for a change by the caller. Checks permissions first, so an unauthorized caller does not make
 * others wait. Lock order: organization, then membership.
 */
export const lockOrganizationFor = (
  repositories: Repositories,
  caller: Caller,
  id: OrganizationId,
  permission: Permission,
): ResultAsync<Organization, OrganizationAccessError> =>
  permittedOrganization(repositories, caller, id, permission)
    .andThen(() => repositories.organizations.lock(id))
    .andThrough(() => lockedMayIn(repositories, caller, id, permission));

/**
 * Checks whether the caller may do something in an organization, so that a bad request is refused for the right reason.
 */
export const checkOrganizationAccess =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (caller: Caller, id: OrganizationId, permission: Permission): ResultAsync<void, OrganizationAccessError> =>
    unitOfWork.view((repositories) => permittedOrganization(repositories, caller, id, permission)).map(() => undefined);
