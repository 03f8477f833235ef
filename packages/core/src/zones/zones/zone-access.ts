import { err, type Result, type ResultAsync } from 'neverthrow';
import type { ZoneId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import { type AccessDenied, mayIn, reachesZone } from '../../organizations/access/permissions.ts';
import type { Permission, Role } from '../../organizations/access/role.ts';
import { type ZoneNotFound, zoneNotFound } from './errors.ts';
import type { ZoneHead, Zones } from './ports.ts';

/**
 * No zone has this id, or the caller may not do this in it: zones of others are denied, not hidden. For an API token
 * that is limited to some zones, others do not exist.
 */
export type ZoneAccessError = ZoneNotFound | AccessDenied;

/** Checks what the caller may do in a zone, as of when they were authenticated. */
const mayInZone = (
  caller: Caller,
  { id, organizationId }: { readonly id: ZoneId } & Pick<ZoneHead, 'organizationId'>,
  permission: Permission,
): Result<Role, ZoneAccessError> =>
  reachesZone(caller, id) ? mayIn(caller, organizationId, permission) : err(zoneNotFound());

/** The head of a zone in which the caller may do something; by default, read it. */
export const mayReadZone = (
  { zones }: { readonly zones: Zones },
  caller: Caller,
  id: ZoneId,
  permission: Permission = 'zones.read',
): ResultAsync<ZoneHead, ZoneAccessError> =>
  zones.head(id).andThrough(({ organizationId }) => mayInZone(caller, { id, organizationId }, permission));

/** Checks whether the caller may do something in a zone, so that a bad request is refused for the right reason. */
export const checkZoneAccess =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<{ readonly zones: Zones }> }) =>
  (caller: Caller, id: ZoneId, permission: Permission): ResultAsync<void, ZoneAccessError> =>
    unitOfWork.view((repositories) => mayReadZone(repositories, caller, id, permission)).map(() => undefined);
