import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { IdentityId, ProviderId, UserId } from '../../kernel/shared/ids.ts';
import { type Page, type PageRequest, pageOf } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import { requireConfirmed, type Unconfirmed } from '../../organizations/access/permissions.ts';
import { record } from '../../organizations/audit/record.ts';
import type { LastCredential } from '../accounts/errors.ts';
import { requireCredentialLeft } from '../accounts/remaining-credentials.ts';
import { notify } from '../mailing/notify.ts';
import { type IdentityNotFound, identityNotFound } from './errors.ts';
import { type Identity, identityActions } from './identity.ts';
import type { SignInProviders } from './ports.ts';
import type { IdentityRepositories } from './repositories.ts';

/** An identity, with the name of its provider. */
export interface NamedIdentity extends Identity {
  /** The id of the provider, if it is no longer configured. */
  readonly name: string;
}

/** The identities linked to the caller's account. */
export const listIdentities =
  ({
    unitOfWork,
    signInProviders,
  }: {
    readonly unitOfWork: UnitOfWork<IdentityRepositories>;
    readonly signInProviders: SignInProviders;
  }) =>
  ({ userId }: Pick<Caller, 'userId'>, page: PageRequest): ResultAsync<Page<NamedIdentity>, never> =>
    unitOfWork
      .view(({ identities }) => identities.list(userId))
      .map((all) =>
        pageOf(
          all.map((identity) => ({
            ...identity,
            name: signInProviders.all.find(({ id }) => id === identity.provider)?.name ?? identity.provider,
          })),
          page,
        ),
      );

export type UnlinkIdentityError = Unconfirmed | AccountNotFound | IdentityNotFound | LastCredential;

/** Unlinks an identity from the caller's account, and ends the sessions that came from it. */
export const unlinkIdentity =
  ({ unitOfWork }: { readonly unitOfWork: UnitOfWork<IdentityRepositories> }) =>
  (caller: Caller, id: IdentityId): ResultAsync<void, UnlinkIdentityError> =>
    requireConfirmed(caller).asyncAndThen(() =>
      unitOfWork.run((repositories) =>
        safeTry(async function* () {
          const { userId } = caller;
          // The lock makes removals of credentials follow one another, so that one of the last two remains.
          yield* repositories.accounts.lock(userId);
          const identities = yield* repositories.identities.list(userId);
          const identity = yield* identityIn(identities, id);
          yield* endIdentity(repositories, userId, identity);
          yield* requireCredentialLeft(repositories, userId);
          const objects = { identity: id, provider: identity.provider };
          yield* record(repositories, caller, identityActions.unlinked, { objects });
          return notify(repositories, userId, 'provider-unlinked', caller.client);
        }),
      ),
    );

/** One of the identities of an account. */
export const identityIn = (identities: readonly Identity[], id: IdentityId): Result<Identity, IdentityNotFound> => {
  const identity = identities.find((each) => each.id === id);
  return identity === undefined ? err(identityNotFound()) : ok(identity);
};

/** Removes an identity of a locked account with all that came from it: sessions, and sign-ins under way. */
export const endIdentity = (
  { identities, credentials, sessions }: Pick<IdentityRepositories, 'identities' | 'credentials' | 'sessions'>,
  user: UserId,
  { id, provider }: { readonly id: IdentityId; readonly provider: ProviderId },
): ResultAsync<void, IdentityNotFound> =>
  identities
    .unlink(user, id)
    .andThen(() => credentials.renew(user))
    .andThen(() => sessions.endAllBy(user, provider));
