import {
  type CallerCredential,
  type NeededPermissions,
  type PermissionMissing,
  requireTokenPermission,
  type TokenPermission,
} from '@zonewright/core';
import { ok, type Result } from 'neverthrow';

/**
 * What an API token needs for any request of a route; of several permissions, one. Use cases check what the effect of
 * the request needs, which may be more.
 * - `any token`: no permission.
 * - `session`: no token is enough.
 * - `public`: no credential.
 */
export type RoutePermission = 'public' | 'session' | 'any token' | TokenPermission | NeededPermissions;

/** The permissions of which a token needs one; none if it needs no permission, or is not enough. */
export function permissionsOf(permission: RoutePermission): readonly TokenPermission[] {
  return neededFor(permission) ?? [];
}

/** Checks the permission before anything else about a request, so that its refusal tells nothing about resources. */
export function requireRoutePermission(
  credential: CallerCredential,
  permission: RoutePermission,
): Result<void, PermissionMissing> {
  const needed = neededFor(permission);
  return needed === undefined ? ok() : requireTokenPermission(credential, needed);
}

function neededFor(permission: RoutePermission): NeededPermissions | undefined {
  switch (permission) {
    case 'public':
    case 'session':
    case 'any token':
      return undefined;
    default:
      return typeof permission === 'string' ? [permission] : permission;
  }
}
