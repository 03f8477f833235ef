import { type ResultAsync, safeTry } from 'neverthrow';
import type { IdentityId, PasskeyId, UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { IdentityNotFound } from '../identities/errors.ts';
import { type Identity, identityActions } from '../identities/identity.ts';
import { endIdentity, identityIn } from '../identities/own-identities.ts';
import type { Identities } from '../identities/ports.ts';
import { notify } from '../mailing/notify.ts';
import type { PasskeyNotFound } from '../passkeys/errors.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import type { PasskeyRepositories } from '../passkeys/repositories.ts';
import { passkeysOf } from '../passkeys/request-options.ts';
import type { Sessions } from '../sessions/ports.ts';
import type { TwoFactorNotEnabled } from '../two-factor/errors.ts';
import type { TwoFactors } from '../two-factor/ports.ts';
import { requireEnabled } from '../two-factor/two-factor.ts';
import { type Operator, recordOperator } from './record-operator.ts';

interface Repositories extends PasskeyRepositories {
  readonly identities: Identities;
  readonly sessions: Sessions;
  readonly twoFactors: TwoFactors;
}

/**
 * Disables two-factor authentication for a user who lost both the device and the recovery codes. Organizations that
 * require it stay off limits until the user enables it again. Sessions stay alive; the owner is notified by mail.
 */
export const removeSecondFactor =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, user: UserId): ResultAsync<void, AccountNotFound | TwoFactorNotEnabled> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { accounts, credentials, twoFactors } = repositories;
        yield* accounts.facts(user);
        yield* requireEnabled(yield* twoFactors.lock(user));
        yield* twoFactors.disable(user);
        yield* credentials.renew(user);
        yield* recordOperator(repositories, operator, 'twoFactor.disabled', user);
        return notify(repositories, user, 'two-factor-disabled', operator);
      }),
    );

/** All passkeys of a user, oldest first. */
export const listPasskeysOf =
  (ports: { unitOfWork: UnitOfWork<Repositories> }) =>
  (user: UserId): ResultAsync<readonly Passkey[], never> =>
    passkeysOf(ports, user);

/**
 * Removes a passkey of a user who lost it, even the last one: who has no password either can request a mail to choose
 * one. Sessions stay alive; the owner is notified by mail.
 */
export const removePasskeyOf =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, user: UserId, id: PasskeyId): ResultAsync<void, AccountNotFound | PasskeyNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { accounts, credentials, passkeys } = repositories;
        yield* accounts.lock(user);
        yield* passkeys.remove(user, id);
        yield* credentials.renew(user);
        yield* recordOperator(repositories, operator, 'passkey.removed', user, { passkey: id });
        return notify(repositories, user, 'passkey-removed', operator);
      }),
    );

/** The identities linked to a user's account. */
export const listIdentitiesOf =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork<Repositories> }) =>
  (user: UserId): ResultAsync<readonly Identity[], never> =>
    unitOfWork.view(({ identities }) => identities.list(user));

/**
 * Removes an identity from the account of a user who has lost it or whose provider is gone, even the last credential:
 * the owner can still request a new password by mail.
 */
export const removeIdentity =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, user: UserId, id: IdentityId): ResultAsync<void, AccountNotFound | IdentityNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* repositories.accounts.lock(user);
        const identity = yield* identityIn(yield* repositories.identities.list(user), id);
        yield* endIdentity(repositories, user, identity);
        const objects = { identity: id, provider: identity.provider };
        yield* recordOperator(repositories, operator, identityActions.unlinked, user, objects);
        return notify(repositories, user, 'provider-unlinked', operator);
      }),
    );
