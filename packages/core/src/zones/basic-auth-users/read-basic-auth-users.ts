import type { ResultAsync } from 'neverthrow';
import type { BasicAuthUserId, ZoneId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { BasicAuthUser } from '../basic-auth/basic-auth-user.ts';
import type { Zones } from '../zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';
import type { BasicAuthUserNotFound } from './errors.ts';
import type { BasicAuthUsers } from './ports.ts';

interface Repositories {
  readonly basicAuthUsers: BasicAuthUsers;
  readonly zones: Zones;
}

/** Which basic-auth users of a zone to list. */
export interface ListBasicAuthUsersQuery extends PageRequest {
  /** A substring of the name, ignoring case; undefined: all users. */
  readonly username: string | undefined;
}

/** The basic-auth users of a zone (interface, "Basic-auth users"). */
export const listBasicAuthUsers =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (
    caller: Caller,
    zone: ZoneId,
    { username, ...page }: ListBasicAuthUsersQuery,
  ): ResultAsync<Page<BasicAuthUser>, ZoneAccessError> =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, zone, 'basicAuthUsers.read').andThen(() =>
        repositories.basicAuthUsers.list(zone, username, page),
      ),
    );

/** One basic-auth user of a zone. */
export const readBasicAuthUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
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
