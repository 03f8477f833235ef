import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { PermissionMissing } from '../access/errors.ts';
import { openOrganizations, requireTokenPermission } from '../access/permissions.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { UserSummary } from './account.ts';
import { type AccountNotFound, type UserNotShared, userNotShared } from './errors.ts';

/** What the caller may see of a user: themselves or a fellow member. */
export const readUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (caller: Caller, id: UserId): ResultAsync<UserSummary, AccountNotFound | UserNotShared | PermissionMissing> =>
    unitOfWork.view(({ accounts, memberships }) =>
      safeTry(async function* () {
        yield* requireTokenPermission(caller.credential, ['members:read']);
        const { email, firstName, lastName } = yield* accounts.profile(id);
        const isKnown =
          id === caller.userId || (yield* memberships.shareOrganization(caller.userId, id, openOrganizations(caller)));
        return isKnown ? ok({ id, email, firstName, lastName }) : err(userNotShared());
      }),
    );
