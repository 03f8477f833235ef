import {
  type HeldPasskey,
  type Passkey,
  type PasskeyChallenges,
  type PasskeyId,
  type Passkeys,
  passkeyNotFound,
  passkeyRefused,
  passkeyTaken,
  type UserId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { passkeysOf } from '../organizations/memberships.ts';
import { pageOf, sortedBy } from '../pages.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { PasskeyRow } from '../tables/account-rows.ts';
import type { Unit } from '../tables/tables.ts';
import { standingOf } from './callers.ts';

export const memoryPasskeys = ({ tables, now }: Unit): Passkeys => {
  const { passkeys, users } = tables;
  const by = (credential: string) => [...passkeys.values()].find(({ credentialId }) => credentialId === credential);
  const own = (user: UserId, id: PasskeyId) => passkeysOf(tables, user).find((passkey) => passkey.id === id);
  return {
    add: (passkey) => {
      if (by(passkey.credentialId) !== undefined) return errAsync(passkeyTaken());
      const row = { ...passkey, createdAt: now(), lastUsedAt: undefined };
      passkeys.set(passkey.id, row);
      return okAsync(passkeyOf(row));
    },
    lockCount: (user) => okAsync(passkeysOf(tables, user).length),
    list: (user, page) => {
      const oldestFirst = sortedBy(passkeysOf(tables, user), ({ createdAt, id }) => [createdAt, id]);
      return okAsync(pageOf(oldestFirst.map(passkeyOf), page));
    },
    rename: (user, id, given) => {
      const row = own(user, id);
      if (row === undefined) return errAsync(passkeyNotFound());
      const renamed = { ...row, name: given ?? row.name };
      passkeys.set(id, renamed);
      return okAsync(passkeyOf(renamed));
    },
    remove: (user, id) => {
      if (own(user, id) === undefined) return errAsync(passkeyNotFound());
      passkeys.delete(id);
      return okAsync();
    },
    held: (credential) => {
      const row = by(credential);
      const user = row && users.get(row.userId);
      return okAsync(
        user && { ...heldOf(row), credentialsVersion: user.credentialsVersion, standing: standingOf(user) },
      );
    },
    noteUse: (id, { counter, backedUp }) => {
      const row = passkeys.get(id);
      const hasGrown = row !== undefined && (row.counter < counter || (row.counter === 0 && counter === 0));
      if (hasGrown) passkeys.set(id, { ...row, counter, backedUp, lastUsedAt: now() });
      return okAsync(hasGrown);
    },
  };
};

export const memoryPasskeyChallenges = ({ tables: { passkeyChallenges }, now }: Unit): PasskeyChallenges => ({
  issue: (hash, lifetimeSeconds) => {
    passkeyChallenges.set(hash, { expiresAt: secondsAfter(now(), lifetimeSeconds) });
    return okAsync();
  },
  spend: (hash) => {
    const challenge = passkeyChallenges.get(hash);
    if (challenge === undefined || challenge.expiresAt <= now()) return errAsync(passkeyRefused());
    passkeyChallenges.delete(hash);
    return okAsync();
  },
});

const passkeyOf = ({ userId: _, publicKey: __, counter: ___, ...passkey }: PasskeyRow): Passkey => passkey;

const heldOf = ({
  id,
  userId,
  credentialId,
  publicKey,
}: PasskeyRow): Omit<HeldPasskey, 'standing' | 'credentialsVersion'> => ({ id, userId, credentialId, publicKey });
