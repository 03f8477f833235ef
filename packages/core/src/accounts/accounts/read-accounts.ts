import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import { type Email, emailKey } from '../../kernel/mail/email.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { PermissionMissing } from '../../organizations/access/errors.ts';
import { type AccountNotFound } from '../../organizations/access/errors.ts';
import { openOrganizations, requireTokenPermission } from '../../organizations/access/permissions.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import type { Profile, UserSummary } from './account.ts';
import { type UserNotShared, userNotShared } from './errors.ts';
import type { Accounts } from './ports.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly memberships: Memberships;
}

/** The caller's own account (interface, "User endpoints"). */
export const readProfile =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  ({ userId }: Pick<Caller, 'userId'>): ResultAsync<Profile, AccountNotFound> =>
    unitOfWork.view(({ accounts }) => accounts.profile(userId));

/** What the caller may see of a user: themselves or a fellow member. */
export const readUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
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

/**
 * Finds the account with an address, so that the audit log can name the target of an attempt. Never reveal the result
 * to the client.
 */
export const findAccount =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (email: Email): ResultAsync<UserId | undefined, never> =>
    unitOfWork.view(({ accounts }) => accounts.factsByEmail(emailKey(email))).map((facts) => facts?.userId);
