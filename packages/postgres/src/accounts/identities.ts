import {
  flowInvalid,
  type IdentifiedAccount,
  type Identities,
  type Identity,
  type IdentityTaken,
  identityNotFound,
  identityTaken,
  type ProviderAlreadyLinked,
  type ProviderId,
  providerAlreadyLinked,
  type SpentStates,
  type UnverifiedAccounts,
  type UserId,
} from '@zonewright/core';
import { err, ok, okAsync, type Result } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { change, itemOf, many, maybe, type RowOf, run } from '../connection/query.ts';
import { sql } from '../sql.ts';
import { type FactsRow, factsOf } from './accounts.ts';

export const postgresIdentities = (on: Connection): Identities => ({
  use: ({ issuer, subject }) =>
    maybe<FactsRow & { readonly provider: ProviderId }>(on, sql.identities.use, { issuer, subject }).map(
      (row): IdentifiedAccount | undefined => row && { ...factsOf(row), provider: row.provider },
    ),
  list: (user) => many<RowOf<Identity>>(on, sql.identities.list, { user }).map((rows) => rows.map(itemOf<Identity>)),
  link: (identity) =>
    maybe(on, sql.identities.link, { ...identity, email: identity.email ?? null }).andThen((row) =>
      row === undefined
        ? maybe<{ userId: UserId }>(on, sql.identities.holder, { ...identity }).andThen((holder) =>
            conflictOf(holder?.userId, identity.userId),
          )
        : okAsync(true),
    ),
  unlink: (user, id) => change(on, sql.identities.unlink, { user, id }).mapErr(identityNotFound),
});

/** Why an identity was not linked, by whom its subject belongs to. */
function conflictOf(holder: UserId | undefined, user: UserId): Result<boolean, IdentityTaken | ProviderAlreadyLinked> {
  if (holder === undefined) return err(providerAlreadyLinked());
  return holder === user ? ok(false) : err(identityTaken());
}

export const postgresSpentStates = (on: Connection): SpentStates => ({
  spend: (hash) =>
    change(on, sql.spentStates.spend, { hash }).mapErr(() => flowInvalid('the flow was completed before')),
});

export const postgresUnverifiedAccounts = (on: Connection): UnverifiedAccounts => ({
  remove: (id) => run(on, sql.unverifiedAccounts.remove, { id }),
});
