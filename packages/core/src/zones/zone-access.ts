import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import { type PermissionDenied, permissionDenied } from '../organizations/errors.ts';
import { type Permission, permits } from '../organizations/role.ts';
import type { Caller } from '../sessions/session.ts';
import type { OrganizationId, ZoneId } from '../shared/ids.ts';
import type { Repositories, UnitOfWork } from '../shared/unit-of-work.ts';
import type { ZoneNotFound } from './errors.ts';
import type { Zone } from './zone.ts';

export type ZoneAccessError = ZoneNotFound | PermissionDenied;

/** Whether the caller's role in the organization, as it was when the caller was recognized, includes the permission. */
export function mayIn(
  caller: Caller,
  organization: OrganizationId,
  permission: Permission,
): Result<void, PermissionDenied> {
  const role = caller.memberships.get(organization);
  return role !== undefined && permits(role, permission) ? ok() : err(permissionDenied(permission));
}

/**
 * Locks the zone for a change by the caller. The role is read and locked in the same unit, so a right that is
 * withdrawn meanwhile is either withdrawn before the change or after it. Lock order: membership, then zone.
 */
export const lockZoneFor = (
  { zones, organizations }: Repositories,
  caller: Caller,
  id: ZoneId,
  permission: Permission,
): ResultAsync<Zone, ZoneAccessError> =>
  zones
    .organizationOf(id)
    .andThen((organization) => organizations.lockRole(organization, caller.userId))
    .andThen((role) => (role !== undefined && permits(role, permission) ? ok() : err(permissionDenied(permission))))
    .andThen(() => zones.lock(id));

/** Whether the caller may do something in a zone, without doing it: for refusing a bad request in the right order. */
export type CheckZoneAccess = (
  caller: Caller,
  id: ZoneId,
  permission: Permission,
) => ResultAsync<void, ZoneAccessError>;

export const checkZoneAccess =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): CheckZoneAccess =>
  (caller, id, permission) =>
    unitOfWork
      .view(({ zones }) => zones.organizationOf(id))
      .andThen((organization) => mayIn(caller, organization, permission));
