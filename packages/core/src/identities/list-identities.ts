import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { Dependencies } from '../repositories.ts';
import { type Page, type PageRequest, pageOf } from '../shared/page.ts';
import type { Identity } from './identity.ts';

/** An identity, with the name of its provider. */
export interface NamedIdentity extends Identity {
  /** The id of the provider, if it is no longer configured. */
  readonly name: string;
}

/** The identities linked to the caller's account. */
export const listIdentities =
  ({ unitOfWork, signInProviders }: Pick<Dependencies, 'unitOfWork' | 'signInProviders'>) =>
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
