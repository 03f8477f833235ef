import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { type AccessDenied, lockedMayIn, mayIn } from '../access/permissions.ts';
import type { Permission } from '../access/role.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { ZoneNotFound } from './errors.ts';
import type { Zone } from './zone.ts';

/** No zone has this id, or the caller may not do this in it: a zone of others is denied, not hidden. */
export type ZoneAccessError = ZoneNotFound | AccessDenied;

/** Locks the zone for a change by the caller. Lock order: membership, then zone. */
export const lockZoneFor = (
  repositories: Repositories,
  caller: Caller,
  id: ZoneId,
  permission: Permission,
): ResultAsync<Zone, ZoneAccessError> =>
  repositories.zones
    .organizationOf(id)
    .andThen((organization) => lockedMayIn(repositories, caller, organization, permission))
    .andThen(() => repositories.zones.lock(id));

/** Refuses a caller who may not see the zone. */
export const mayReadZone = (
  { zones }: Pick<Repositories, 'zones'>,
  caller: Caller,
  id: ZoneId,
): ResultAsync<void, ZoneAccessError> =>
  zones.organizationOf(id).andThen((organization) => mayIn(caller, organization, 'zones.read').map(() => undefined));

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
      .andThen((organization) => mayIn(caller, organization, permission).map(() => undefined));
