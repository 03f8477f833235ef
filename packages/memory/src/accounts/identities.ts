import {
  flowInvalid,
  flowLifetimeSeconds,
  type Identities,
  type Identity,
  identityNotFound,
  identityTaken,
  providerAlreadyLinked,
  type SpentStates,
  type UnverifiedAccounts,
  type UserId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { secondsAfter } from '../seconds-after.ts';
import type { IdentityRow } from '../tables/account-rows.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import { factsOf, touched } from './accounts.ts';
import { removeAccount } from './removal.ts';

export const memoryIdentities = (unit: Unit): Identities => {
  const { tables, now } = unit;
  const { identities, users } = tables;
  const touch = (id: UserId) => {
    const user = users.get(id);
    if (user !== undefined) users.set(id, { ...user, ...touched(unit, user) });
  };
  return {
    use: ({ issuer, subject }) => {
      const identity = [...identities.values()].find((each) => each.issuer === issuer && each.subject === subject);
      const user = identity && users.get(identity.userId);
      if (identity === undefined || user === undefined) return okAsync(undefined);
      identities.set(identity.id, { ...identity, lastUsedAt: now() });
      return okAsync({ ...factsOf(tables, user), provider: identity.provider });
    },
    list: (user) => okAsync(identitiesOf(tables, user).map(identityOf)),
    link: (identity) => {
      const { id, userId, provider, issuer, subject } = identity;
      const isSame = (each: IdentityRow) => each.issuer === issuer && each.subject === subject;
      const ofProvider = identitiesOf(tables, userId).find((each) => each.provider === provider);
      const same = [...identities.values()].find(isSame);
      if (same !== undefined) return same.userId === userId ? okAsync(false) : errAsync(identityTaken());
      if (ofProvider !== undefined) return errAsync(providerAlreadyLinked());
      identities.set(id, { ...identity, connectedAt: now(), lastUsedAt: undefined });
      touch(userId);
      return okAsync(true);
    },
    unlink: (user, id) => {
      if (identities.get(id)?.userId !== user) return errAsync(identityNotFound());
      identities.delete(id);
      touch(user);
      return okAsync();
    },
  };
};

/** The identities of a user, ordered by provider. */
const identitiesOf = ({ identities }: Tables, user: UserId): readonly IdentityRow[] =>
  [...identities.values()].filter(({ userId }) => userId === user).sort(byProvider);

const byProvider = (one: IdentityRow, other: IdentityRow): number => (one.provider < other.provider ? -1 : 1);

const identityOf = ({ id, provider, email, connectedAt, lastUsedAt }: IdentityRow): Identity => ({
  id,
  provider,
  email,
  connectedAt,
  lastUsedAt,
});

export const memorySpentStates = ({ tables: { spentStates }, now }: Unit): SpentStates => ({
  spend: (hash) => {
    if (spentStates.has(hash)) return errAsync(flowInvalid('the flow was completed before'));
    spentStates.set(hash, { expiresAt: secondsAfter(now(), flowLifetimeSeconds) });
    return okAsync();
  },
});

export const memoryUnverifiedAccounts = ({ tables }: Unit): UnverifiedAccounts => ({
  remove: (id) => {
    const user = tables.users.get(id);
    if (user?.active === true && !user.emailVerified) removeAccount(tables, id);
    return okAsync();
  },
});
