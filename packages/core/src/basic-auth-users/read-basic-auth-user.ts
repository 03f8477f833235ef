import type { ResultAsync } from 'neverthrow';
import { mayIn } from '../organizations/organization-access.ts';
import type { Caller } from '../sessions/caller.ts';
import type { BasicAuthUserId, ZoneId } from '../shared/ids.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { BasicAuthUser } from './basic-auth-user.ts';
import type { BasicAuthUserNotFound } from './errors.ts';

export type ReadBasicAuthUser = (
  caller: Caller,
  zone: ZoneId,
  id: BasicAuthUserId,
) => ResultAsync<BasicAuthUser, ZoneAccessError | BasicAuthUserNotFound>;

/** One basic-auth user of a zone. */
export const readBasicAuthUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadBasicAuthUser =>
  (caller, zone, id) =>
    unitOfWork.view(({ zones, basicAuthUsers }) =>
      zones
        .organizationOf(zone)
        .andThen((organization) => mayIn(caller, organization, 'zones.read'))
        .andThen(() => basicAuthUsers.byId(zone, id)),
    );
