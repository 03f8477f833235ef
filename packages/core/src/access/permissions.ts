import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { OrganizationId } from '../shared/ids.ts';
import type { Caller, CallerCredential, Membership } from './caller.ts';
import { requireConfirmed } from './confirmation.ts';
import {
  type ConfirmationRequired,
  type PermissionDenied,
  permissionDenied,
  type SessionRequired,
  sessionRequired,
  type TwoFactorRequired,
  twoFactorRequired,
} from './errors.ts';
import { type Permission, permits, type Role } from './role.ts';

/**
 * Permissions that need more than a role. Changing who administers an organization requires a session: an API token
 * never proves a second factor, and the change would outlive the token. Owners and the organization itself are safe from
 * a stolen session, which cannot be confirmed. Secrets that let the holder act on other systems are withheld from
 * read-only tokens.
 */
const restricted: Readonly<Partial<Record<Permission, 'confirmed sessions' | 'sessions' | 'writers'>>> = {
  'organization.enforceTwoFactor': 'sessions',
  'organization.liftTwoFactor': 'confirmed sessions',
  'organization.delete': 'confirmed sessions',
  'members.manageAdmins': 'sessions',
  'members.manageOwners': 'confirmed sessions',
  'members.remove': 'sessions',
  'members.leave': 'sessions',
  'banToken.read': 'writers',
};

/** Checks that the credential allows a permission that the user's role includes. */
export function requireCredentialAllows(
  credential: CallerCredential,
  permission: Permission,
): Result<void, SessionRequired | ConfirmationRequired | PermissionDenied> {
  if (restricted[permission] === 'confirmed sessions') return requireConfirmed({ credential });
  if (credential.kind !== 'apiToken' || restricted[permission] === undefined) return ok();
  if (restricted[permission] === 'sessions') return err(sessionRequired());
  return credential.readOnly ? err(permissionDenied(permission)) : ok();
}

/** Why the caller may not do this: because of the role, the organization or the credential. */
export type AccessDenied = PermissionDenied | TwoFactorRequired | SessionRequired | ConfirmationRequired;

/** Checks that the membership includes the permission and that the credential allows it. */
function granted(
  { credential }: Caller,
  membership: Membership | undefined,
  organization: OrganizationId,
  permission: Permission,
): Result<Role, AccessDenied> {
  if (membership === undefined || !permits(membership.role, permission)) return err(permissionDenied(permission));
  if (membership.needsTwoFactor) return err(twoFactorRequired(organization));
  return requireCredentialAllows(credential, permission).map(() => membership.role);
}

/** Checks what the caller may do in the organization, as of when they were authenticated. */
export const mayIn = (
  caller: Caller,
  organization: OrganizationId,
  permission: Permission,
): Result<Role, AccessDenied> => granted(caller, caller.memberships.get(organization), organization, permission);

/**
 * Checks what the caller may do in the organization, and keeps that true until the unit ends: the membership is read
 * and locked, so a concurrent withdrawal of the right takes effect either before or after the unit. The credential must
 * allow the permission, too.
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

/** Checks a permission against a membership that was read after the caller was authenticated. */
export const stillMayIn = (
  caller: Caller,
  organization: OrganizationId,
  membership: Membership | undefined,
  permission: Permission,
): Result<Role, AccessDenied> =>
  mayIn(caller, organization, permission).andThen(() => granted(caller, membership, organization, permission));
