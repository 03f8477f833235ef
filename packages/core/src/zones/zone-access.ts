import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import { type AccessDenied, mayIn } from '../access/permissions.ts';
import type { Permission } from '../access/role.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { ZoneId } from '../shared/ids.ts';
import type { ZoneNotFound } from './errors.ts';

/** No zone has this id, or the caller may not do this in it: zones of others are denied, not hidden. */
export type ZoneAccessError = ZoneNotFound | AccessDenied;

/** Refuses callers who may not see the zone. */
export const mayReadZone = (
  { zones }: Pick<Repositories, 'zones'>,
  caller: Caller,
  id: ZoneId,
): ResultAsync<void, ZoneAccessError> =>
  zones.head(id).andThen(({ organizationId }) => mayIn(caller, organizationId, 'zones.read').map(() => undefined));

/** Checks whether the caller may do something in a zone, so that a bad request is refused for the right reason. */
export const checkZoneAccess =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: Caller, id: ZoneId, permission: Permission): ResultAsync<void, ZoneAccessError> =>
    unitOfWork
      .view(({ zones }) => zones.head(id))
      .andThen(({ organizationId }) => mayIn(caller, organizationId, permission).map(() => undefined));
