import { err, ok, type Result } from 'neverthrow';
import type { CallerCredential } from '../sessions/caller.ts';
import { type PermissionDenied, permissionDenied, type SessionRequired, sessionRequired } from './errors.ts';
import type { Permission } from './role.ts';

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
  if (credential.kind === 'session' || restricted[permission] === undefined) return ok();
  if (restricted[permission] === 'sessions') return err(sessionRequired());
  return credential.readOnly ? err(permissionDenied(permission)) : ok();
}
