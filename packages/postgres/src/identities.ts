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
import { type FactsRow, factsOf } from './accounts.ts';
import type { Connection } from './database.ts';
import { many, maybe, required, run } from './query.ts';
import { sql } from './sql.ts';

type IdentityRow = Omit<Identity, 'email' | 'lastUsedAt'> & {
  readonly email: Identity['email'] | null;
  readonly lastUsedAt: Date | null;
};

export const postgresIdentities = (on: Connection): Identities => ({
  use: ({ issuer, subject }) =>
    maybe<FactsRow & { readonly provider: ProviderId }>(on, sql.identities.use, { issuer, subject }).map(
      (row): IdentifiedAccount | undefined => row && { ...factsOf(row), provider: row.provider },
    ),
  list: (user) => many<IdentityRow>(on, sql.identities.list, { user }).map((rows) => rows.map(identityOf)),
  link: (identity) =>
    maybe(on, sql.identities.link, { ...identity, email: identity.email ?? null }).andThen((row) =>
      row === undefined
        ? maybe<{ userId: UserId }>(on, sql.identities.holder, { ...identity }).andThen((holder) =>
            conflictOf(holder?.userId, identity.userId),
          )
        : okAsync(true),
    ),
  unlink: (user, id) => required(on, sql.identities.unlink, { user, id }, identityNotFound).map(() => undefined),
});

/** Why an identity was not linked, by whom its subject belongs to. */
function conflictOf(holder: UserId | undefined, user: UserId): Result<boolean, IdentityTaken | ProviderAlreadyLinked> {
  if (holder === undefined) return err(providerAlreadyLinked());
  return holder === user ? ok(false) : err(identityTaken());
}

const identityOf = ({ email, lastUsedAt, ...row }: IdentityRow): Identity => ({
  ...row,
  email: email ?? undefined,
  lastUsedAt: lastUsedAt ?? undefined,
});

export const postgresSpentStates = (on: Connection): SpentStates => ({
  spend: (hash) =>
    required(on, sql.spentStates.spend, { hash }, () => flowInvalid('the flow was completed before')).map(
      () => undefined,
    ),
});

export const postgresUnverifiedAccounts = (on: Connection): UnverifiedAccounts => ({
  remove: (id) => run(on, sql.unverifiedAccounts.remove, { id }),
});
