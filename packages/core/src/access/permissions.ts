import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Caller, CallerCredential, Membership } from './caller.ts';
import {
  type PermissionDenied,
  permissionDenied,
  type SessionRequired,
  sessionRequired,
  type TwoFactorRequired,
  twoFactorRequired,
} from './errors.ts';
import { type Permission, permits, type Role } from './role.ts';

/**
 * Permissions for which a role is not enough. Who rules an organization is decided by people who signed in: an API token
 * never proves a second factor, and what it did would outlive it. A secret with which others are commanded is not for a
 * token that may only read.
 */
const restricted: Readonly<Partial<Record<Permission, 'sessions' | 'writers'>>> = {
  'organization.enforceTwoFactor': 'sessions',
  'organization.delete': 'sessions',
  'members.manageAdmins': 'sessions',
  'members.manageOwners': 'sessions',
  'members.remove': 'sessions',
  'members.leave': 'sessions',
  'banToken.read': 'writers',
};

/** Whether a credential lends the permission to a user whose role includes it. */
export function requireLent(
  credential: CallerCredential,
  permission: Permission,
): Result<void, SessionRequired | PermissionDenied> {
  if (credential.kind !== 'apiToken' || restricted[permission] === undefined) return ok();
  if (restricted[permission] === 'sessions') return err(sessionRequired());
  return credential.readOnly ? err(permissionDenied(permission)) : ok();
}

/** The caller may not do this: what the role, the organization or the credential has against it. */
export type AccessDenied = PermissionDenied | TwoFactorRequired | SessionRequired;

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
  { memberships }: Repositories,
  caller: Caller,
  organization: OrganizationId,
  permission: Permission,
): ResultAsync<Role, AccessDenied> =>
  mayIn(caller, organization, permission)
    .asyncAndThen(() => memberships.lock(organization, caller.userId))
    .andThen((membership) => granted(caller, membership, organization, permission));

/** Whether the caller may do something in the organization as `membership` is now, which was read after they were recognized. */
export const stillMayIn = (
  caller: Caller,
  organization: OrganizationId,
  membership: Membership | undefined,
  permission: Permission,
): Result<Role, AccessDenied> =>
  mayIn(caller, organization, permission).andThen(() => granted(caller, membership, organization, permission));
