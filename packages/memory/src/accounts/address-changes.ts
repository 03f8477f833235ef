import {
  type AddressChanges,
  accountNotFound,
  type Email,
  type EmailKey,
  emailKey,
  mailedTokenInvalid,
  type TokenHash,
  type UserId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { secondsAfter } from '../seconds-after.ts';
import type { AddressChangeRow } from '../tables/account-rows.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import { endAdded } from './end-added.ts';

export const memoryAddressChanges = (unit: Unit): AddressChanges => {
  const { tables, now } = unit;
  const { addressChanges, users } = tables;
  const of = (user: UserId) => [...addressChanges].filter(([, { userId }]) => userId === user);
  const update = (hash: TokenHash, change: AddressChangeRow, changes: Partial<AddressChangeRow>) =>
    addressChanges.set(hash, { ...change, ...changes });
  const setAddress = (id: UserId, email: Email) => {
    const user = users.get(id);
    if (user === undefined) return;
    users.set(id, { ...user, email, emailVerified: true, revision: user.revision + 1, updatedAt: now() });
  };
  return {
    lockRequestCount: (user, seconds) =>
      okAsync(of(user).filter(([, { createdAt }]) => secondsAfter(createdAt, seconds) > now()).length),
    request: ({ user, session, to, confirmation, confirmSeconds, undoing, undoSeconds }) => {
      const account = users.get(user);
      if (account === undefined) return errAsync(accountNotFound());
      for (const [hash, change] of of(user))
        if (change.confirmedAt === undefined) update(hash, change, { confirmUntil: now() });
      addressChanges.set(confirmation, {
        userId: user,
        session,
        undoing,
        from: account.email,
        to,
        credentialsVersion: account.credentialsVersion,
        createdAt: now(),
        confirmUntil: secondsAfter(now(), confirmSeconds),
        confirmedAt: undefined,
        expiresAt: secondsAfter(now(), undoSeconds),
        undone: false,
      });
      return okAsync(account.email);
    },
    requested: (confirmation) => okAsync(addressChanges.get(confirmation)?.to),
    confirm: (confirmation, undoSeconds) => {
      const change = addressChanges.get(confirmation);
      if (change === undefined || !isConfirmable(unit, change)) return errAsync(mailedTokenInvalid());
      const { userId: user, session, to } = change;
      if (isTaken(tables, user, to) || isReserved(unit, user, emailKey(to))) return errAsync(mailedTokenInvalid());
      update(confirmation, change, { confirmedAt: now(), expiresAt: secondsAfter(now(), undoSeconds) });
      setAddress(user, to);
      return okAsync({ user, session });
    },
    undo: (undoing, beforeSeconds) => {
      const change = [...addressChanges.values()].find((each) => each.undoing === undoing);
      if (change === undefined || change.undone || change.expiresAt <= now()) return errAsync(mailedTokenInvalid());
      const { userId, createdAt, confirmedAt, from } = change;
      for (const [hash, other] of of(userId)) {
        const isOpen = other.confirmedAt === undefined && other.confirmUntil > now();
        if (other.createdAt >= createdAt || isOpen) update(hash, other, { undone: true });
      }
      if (confirmedAt !== undefined) setAddress(userId, from);
      const since = secondsAfter(createdAt, -beforeSeconds);
      return okAsync({ user: userId, ended: endAdded(unit, userId, since, confirmedAt) });
    },
  };
};

function isConfirmable({ tables, now }: Unit, change: AddressChangeRow): boolean {
  const user = tables.users.get(change.userId);
  return (
    change.confirmedAt === undefined &&
    !change.undone &&
    change.confirmUntil > now() &&
    user !== undefined &&
    user.active &&
    user.credentialsVersion === change.credentialsVersion &&
    emailKey(user.email) === emailKey(change.from)
  );
}

const isTaken = ({ users }: Tables, user: UserId, address: Email): boolean =>
  [...users.values()].some(({ id, email }) => id !== user && emailKey(email) === emailKey(address));

/** Whether another account may still get the address back. */
export const isReserved = ({ tables, now }: Unit, user: UserId, key: EmailKey): boolean =>
  [...tables.addressChanges.values()].some(
    ({ userId, from, confirmedAt, undone, expiresAt }) =>
      userId !== user && emailKey(from) === key && confirmedAt !== undefined && !undone && expiresAt > now(),
  );
