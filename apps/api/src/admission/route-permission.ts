import { permissionsOf, type RoutePermission } from '@zonewright/api-description';
import { type CallerCredential, type PermissionMissing, requireTokenPermission } from '@zonewright/core';
import { ok, type Result } from 'neverthrow';

/** Checks the permission before anything else about a request, so that its refusal tells nothing about resources. */
export function requireRoutePermission(
  credential: CallerCredential,
  permission: RoutePermission,
): Result<void, PermissionMissing> {
  const needed = permissionsOf(permission);
  return needed === undefined ? ok() : requireTokenPermission(credential, needed);
}
