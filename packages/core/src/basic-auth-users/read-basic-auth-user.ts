import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { BasicAuthUser } from '../basic-auth/basic-auth-user.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { BasicAuthUserId, ZoneId } from '../shared/ids.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';
import type { BasicAuthUserNotFound } from './errors.ts';

/** One basic-auth user of a zone. */
export const readBasicAuthUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (
    caller: Caller,
    zone: ZoneId,
    id: BasicAuthUserId,
  ): ResultAsync<BasicAuthUser, ZoneAccessError | BasicAuthUserNotFound> =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, zone, 'basicAuthUsers.read').andThen(() =>
        repositories.basicAuthUsers.byId(zone, id),
      ),
    );
