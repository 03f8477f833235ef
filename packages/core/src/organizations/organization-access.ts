import { err, type Result, type ResultAsync } from 'neverthrow';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { Caller, Membership } from '../sessions/caller.ts';
import type { OrganizationId } from '../shared/ids.ts';
import { type TwoFactorRequired, twoFactorRequired } from '../two-factor/errors.ts';
import { type OrganizationNotFound, type PermissionDenied, permissionDenied, type SessionRequired } from './errors.ts';
import { requireLent } from './lent-permissions.ts';
import type { Organization } from './organization.ts';
import { type Permission, permits, type Role } from './role.ts';

export type AccessDenied = PermissionDenied | TwoFactorRequired | SessionRequired;
export type OrganizationAccessError = OrganizationNotFound | AccessDenied;

/** Whether a membership includes the permission, and the credential lends it. */
function granted(
  { credential }: Caller,
  membership: Membership | undefined,
  organization: OrganizationId,
  permission: Permission,
): Result<Role, AccessDenied> {
  if (membership === undefined || !permits(membership.role, permission)) return err(permissionDenied(permission));
  if (membership.needsTwoFactor) return err(twoFactorRequired(organization));
  return requireLent(credential, permission).map(() => membership.role);
}

/** Whether the caller, as recognized, may do something in the organization. */
export const mayIn = (
  caller: Caller,
  organization: OrganizationId,
  permission: Permission,
): Result<Role, AccessDenied> => granted(caller, caller.memberships.get(organization), organization, permission);

/**
 * Whether the caller may do something in the organization for the rest of the unit: the membership is read and
 * locked, so a right that is withdrawn meanwhile is withdrawn either before or after. What the credential does not
 * lend is not granted either.
 */
export const lockedMayIn = (
  { organizations }: Repositories,
  caller: Caller,
  organization: OrganizationId,
  permission: Permission,
): ResultAsync<Role, AccessDenied> =>
  mayIn(caller, organization, permission)
    .asyncAndThen(() => organizations.lockMembership(organization, caller.userId))
    .andThen((membership) => granted(caller, membership, organization, permission));

/**
 * Locks the organization for a change by the caller; whoever may not does not make others wait. Lock order:
 * organization, then membership.
 */
export const lockOrganizationFor = (
  repositories: Repositories,
  caller: Caller,
  id: OrganizationId,
  permission: Permission,
): ResultAsync<Organization, OrganizationAccessError> =>
  repositories.organizations
    .byId(id)
    .andThen(() => mayIn(caller, id, permission))
    .andThen(() => repositories.organizations.lock(id))
    .andThen((organization) => lockedMayIn(repositories, caller, id, permission).map(() => organization));

/** Whether the caller may do something in an organization, without doing it: for refusing a bad request in the right order. */
export type CheckOrganizationAccess = (
  caller: Caller,
  id: OrganizationId,
  permission: Permission,
) => ResultAsync<void, OrganizationAccessError>;

export const checkOrganizationAccess =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): CheckOrganizationAccess =>
  (caller, id, permission) =>
    unitOfWork
      .view(({ organizations }) => organizations.byId(id))
      .andThen(() => mayIn(caller, id, permission).map(() => undefined));
