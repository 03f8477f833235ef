import { type ResultAsync, safeTry } from 'neverthrow';
import type { AccountNotFound } from '../accounts/errors.ts';
import { recordFor } from '../audit/record.ts';
import type { IdentityNotFound } from '../identities/errors.ts';
import { type Identity, identityActions } from '../identities/identity.ts';
import { endIdentity, identityIn } from '../identities/unlink-identity.ts';
import { notify } from '../mail/notify.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { IdentityId, UserId } from '../shared/ids.ts';
import type { Operator } from './record-operator.ts';

/** The identities linked to a user's account. */
export const listIdentitiesOf =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork }) =>
  (user: UserId): ResultAsync<readonly Identity[], never> =>
    unitOfWork.view(({ identities }) => identities.list(user));

/**
 * Removes an identity from the account of a user who has lost it or whose provider is gone, even the last credential:
 * the owner can still request a new password by mail.
 */
export const removeIdentity =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork }) =>
  (operator: Operator, user: UserId, id: IdentityId): ResultAsync<void, AccountNotFound | IdentityNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* repositories.accounts.lock(user);
        const identity = yield* identityIn(yield* repositories.identities.list(user), id);
        yield* endIdentity(repositories, user, identity);
        const objects = { user, identity: id, provider: identity.provider };
        yield* recordFor(repositories, undefined, operator, identityActions.unlinked, objects);
        return notify(repositories, user, 'provider-unlinked', operator);
      }),
    );
