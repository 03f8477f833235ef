import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import { defect } from '../../kernel/shared/failures.ts';
import type { BasicAuthUserId } from '../../kernel/shared/ids.ts';
import type { BasicAuthUser } from '../basic-auth/basic-auth-user.ts';
import type { ChangedZone } from '../zone-changes/change-zone.ts';
import type { ZoneState } from '../zones/zone-state.ts';
import { type BasicAuthUserNotFound, basicAuthUserNotFound } from './errors.ts';

/** The basic-auth user of a zone. */
export function userIn({ users }: ZoneState, id: BasicAuthUserId): Result<BasicAuthUser, BasicAuthUserNotFound> {
  const found = users.find((user) => user.id === id);
  return found === undefined ? err(basicAuthUserNotFound()) : ok(found);
}

/** The user as a change of the zone leaves it; the user must still exist. */
export const userAfter =
  (id: BasicAuthUserId) =>
  ({ after }: ChangedZone): ResultAsync<BasicAuthUser, never> =>
    userIn(after, id)
      .asyncMap(async (user) => user)
      .orElse(() => defect('A written basic-auth user is missing from the zone.'));
