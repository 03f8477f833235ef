import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { OrganizationId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Caller, CallerCredential, ConfirmationMethod, Membership } from './caller.ts';
import {
  type ConfirmationRequired,
  confirmationRequired,
  type PermissionDenied,
  type PermissionMissing,
  type ProviderRequired,
  permissionDenied,
  permissionMissing,
  providerRequired,
  type SessionRequired,
  sessionRequired,
  type TwoFactorRequired,
  twoFactorRequired,
} from './errors.ts';
import type { Memberships } from './ports.ts';
import {
  contentPermissions,
  type NeededPermissions,
  type Permission,
  permits,
  type Role,
  readPermissions,
} from './role.ts';

/** How long a sign-in or a confirmation counts. A refresh is neither. */
export const confirmationSeconds = 15 * 60;

/** Why a caller has not shown recently enough that they are still the user who signed in. */
export type Unconfirmed = SessionRequired | ConfirmationRequired;

/** Admits signed-in users who have confirmed their session, and operators acting for a user; never API tokens. */
export function requireConfirmed({ credential }: Pick<Caller, 'credential'>): Result<void, Unconfirmed> {
  if (credential.kind === 'apiToken') return err(sessionRequired());
  if (credential.kind === 'operator' || credential.confirmed) return ok();
  return err(confirmationRequired(credential.confirmableBy));
}

/** Who has no factor that counts confirms by signing in by a provider again. */
export const confirmableBy = (factors: readonly ConfirmationMethod[]): readonly ConfirmationMethod[] =>
  factors.length === 0 ? ['provider'] : factors;

/** What an operation needs of an API token: one of these permissions; or a session, which no token replaces. */
type NeededOfCredentials = NeededPermissions | 'session' | 'confirmed session';

/**
 * What credentials need besides the role of their user. Changing who administers an organization requires a session: an
 * API token never proves a second factor, and the change would outlive the token. Owners and the organization itself are
 * safe from a stolen session, which cannot be confirmed.
 */
const neededOfCredentials: Readonly<Record<Permission, NeededOfCredentials>> = {
  'organization.read': ['members:read'],
  'organization.rename': ['admin'],
  'domains.write': ['admin'],
  'organization.enforceTwoFactor': 'session',
  'organization.liftTwoFactor': 'confirmed session',
  'organization.requireProvider': 'session',
  'organization.liftProvider': 'confirmed session',
  'organization.delete': 'confirmed session',
  'organization.readAuditLog': ['audit:read'],
  'members.readTwoFactor': ['members:read'],
  'members.manage': ['admin'],
  'members.manageAdmins': 'session',
  'members.manageOwners': 'confirmed session',
  'members.remove': 'session',
  'members.leave': 'session',
  'invitations.read': ['members:read'],
  'zones.read': readPermissions.zones,
  'zones.create': ['zones:write'],
  'zones.write': ['zones:write'],
  'zones.delete': ['zones:write'],
  'deletedZones.read': readPermissions.zones,
  'contents.write': contentPermissions,
  'banToken.read': ['purges:write'],
  'banToken.rotate': ['zones:write'],
  'rules.read': readPermissions.rules,
  'rules.write': ['rules:write'],
  'basicAuthUsers.read': readPermissions.rules,
  'basicAuthUsers.write': ['rules:write'],
  'backends.read': readPermissions.backends,
  'backends.write': ['backends:write'],
};

/** Checks that the credential has one of the permissions. Sessions and operators have all of them. */
export function requireTokenPermission(
  credential: CallerCredential,
  needed: NeededPermissions,
): Result<void, PermissionMissing> {
  if (credential.kind !== 'apiToken') return ok();
  const { permissions } = credential;
  const isHeld = permissions.includes('admin') || needed.some((each) => permissions.includes(each));
  return isHeld ? ok() : err(permissionMissing(needed[0]));
}

/** Why a credential does not allow what the role of its user does. */
export type CredentialDenied = PermissionMissing | SessionRequired | ConfirmationRequired | PermissionDenied;

/**
 * Checks that the credential allows a permission that the user's role includes. A secret that lets the holder act on
 * other systems is withheld from read-only tokens.
 */
export function requireCredentialAllows(
  credential: CallerCredential,
  permission: Permission,
): Result<void, CredentialDenied> {
  const needed = neededOfCredentials[permission];
  if (needed === 'confirmed session') return requireConfirmed({ credential });
  if (credential.kind !== 'apiToken') return ok();
  if (needed === 'session') return err(sessionRequired());
  if (permission === 'banToken.read' && credential.readOnly) return err(permissionDenied(permission));
  return requireTokenPermission(credential, needed);
}

/** Why the caller may not do this: because of the role, the organization or the credential. */
export type AccessDenied = CredentialDenied | Closed;

/** Why an organization is closed to a member. */
export type Closed = TwoFactorRequired | ProviderRequired;

/**
 * The requirements of the organization for its members. API tokens have signed in by no provider, and go on; an operator
 * who acts for a member has not either.
 */
export function requireOpen(
  { credential }: Pick<Caller, 'credential'>,
  organization: OrganizationId,
  { needsTwoFactor, requiredProvider }: Membership,
): Result<void, Closed> {
  if (needsTwoFactor) return err(twoFactorRequired(organization));
  const isElsewhere = credential.kind === 'session' && credential.provider !== requiredProvider;
  return requiredProvider !== undefined && isElsewhere ? err(providerRequired(organization, requiredProvider)) : ok();
}

/** The caller's organizations that are open to them. */
export const openOrganizations = (caller: Pick<Caller, 'credential' | 'memberships'>): readonly OrganizationId[] =>
  [...caller.memberships].filter(([id, membership]) => requireOpen(caller, id, membership).isOk()).map(([id]) => id);

/** Checks that the membership includes the permission and that the credential allows it. */
function granted(
  caller: Pick<Caller, 'credential'>,
  membership: Membership | undefined,
  organization: OrganizationId,
  permission: Permission,
): Result<Role, AccessDenied> {
  if (membership === undefined || !permits(membership.role, permission)) return err(permissionDenied(permission));
  return requireOpen(caller, organization, membership)
    .andThen(() => requireCredentialAllows(caller.credential, permission))
    .map(() => membership.role);
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
  { memberships }: { readonly memberships: Memberships },
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

/** The zones that the credential is limited to; undefined: all zones of its organizations. */
export const zonesOf = ({ credential }: Pick<Caller, 'credential'>): readonly ZoneId[] | undefined =>
  credential.kind === 'apiToken' ? credential.zones : undefined;

/** Whether the zone exists for the credential at all; the role may still forbid what is asked. */
export const reachesZone = (caller: Pick<Caller, 'credential'>, zone: ZoneId): boolean =>
  zonesOf(caller)?.includes(zone) ?? true;

/** Whether the caller may read a zone of an organization. */
export const readsZone = (
  caller: Caller,
  { zone, organizationId }: { readonly zone: ZoneId; readonly organizationId: OrganizationId },
): boolean => reachesZone(caller, zone) && mayIn(caller, organizationId, 'zones.read').isOk();
