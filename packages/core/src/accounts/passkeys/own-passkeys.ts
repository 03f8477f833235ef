import { err, type ResultAsync, safeTry } from 'neverthrow';
import type { PasskeyId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import { requireConfirmed, type Unconfirmed } from '../../organizations/access/permissions.ts';
import { hasSecondFactor } from '../../organizations/access/second-factor.ts';
import { record } from '../../organizations/audit/record.ts';
import type { LastCredential } from '../accounts/errors.ts';
import { requireCredentialLeft } from '../accounts/remaining-credentials.ts';
import { notify } from '../mailing/notify.ts';
import { type TwoFactorEnforced, twoFactorEnforced } from '../two-factor/errors.ts';
import type { PasskeyNotFound } from './errors.ts';
import type { Passkey, PasskeySettings } from './passkey.ts';
import type { PasskeyRepositories } from './repositories.ts';

/** The caller's passkeys, oldest first. */
export const listPasskeys =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<PasskeyRepositories> }) =>
  ({ userId }: SessionCaller, page: PageRequest): ResultAsync<Page<Passkey>, never> =>
    unitOfWork.view(({ passkeys }) => passkeys.list(userId, page));

/** Gives one of the caller's passkeys another name, if there is one. */
export const renamePasskey =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<PasskeyRepositories> }) =>
  (caller: SessionCaller, id: PasskeyId, { name }: PasskeySettings): ResultAsync<Passkey, PasskeyNotFound> =>
    unitOfWork.run((repositories) =>
      repositories.passkeys
        .rename(caller.userId, id, name)
        .andThrough(() => record(repositories, caller, 'passkey.renamed', { objects: { passkey: id } })),
    );

export type RemovePasskeyError = Unconfirmed | PasskeyNotFound | LastCredential | TwoFactorEnforced | AccountNotFound;

/**
 * Removes one of the caller's passkeys, unless nothing would be left to sign in with, or one of the user's organizations
 * requires the second factor that it is. Lock order: organizations, then account, as in `disableTwoFactor`.
 */
export const removePasskey =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<PasskeyRepositories> }) =>
  (caller: SessionCaller, id: PasskeyId): ResultAsync<void, RemovePasskeyError> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* requireConfirmed(caller);
        const { credentials, memberships, passkeys } = repositories;
        const user = caller.userId;
        const [enforcing] = yield* memberships.lockEnforcing(user);
        yield* passkeys.lockCount(user);
        yield* passkeys.remove(user, id);
        const left = yield* requireCredentialLeft(repositories, user);
        if (enforcing !== undefined && !hasSecondFactor(left)) return err(twoFactorEnforced(enforcing));
        yield* credentials.renew(user);
        yield* record(repositories, caller, 'passkey.removed', { objects: { passkey: id } });
        return notify(repositories, user, 'passkey-removed', caller.client);
      }),
    );
