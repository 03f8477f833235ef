import {
  type AccountStanding,
  type Accounts,
  accountNotFound,
  type EmailKey,
  emailKey,
  emailTaken,
  mailedTokenInvalid,
  type Profile,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import type { Unit, UserRow } from './tables.ts';

export const standingOf = ({ active, emailVerified }: UserRow): AccountStanding =>
  active && emailVerified ? 'active' : 'inactive';

export const memoryAccounts = ({ tables: { users }, now }: Unit): Accounts => {
  const byEmail = (email: EmailKey) => [...users.values()].find((user) => emailKey(user.email) === email);
  return {
    add: (account) => {
      if (byEmail(emailKey(account.email)) !== undefined) return errAsync(emailTaken());
      users.set(account.id, {
        ...account,
        active: true,
        emailVerified: false,
        credentialsVersion: 1,
        connectedProviders: [],
        createdAt: now(),
        updatedAt: now(),
        revision: 1,
      });
      return okAsync();
    },
    loginFacts: (email) => {
      const user = byEmail(email);
      if (user === undefined) return okAsync(undefined);
      const { id, passwordHash, credentialsVersion } = user;
      return okAsync({ userId: id, passwordHash, credentialsVersion, standing: standingOf(user) });
    },
    profile: (id) => {
      const user = users.get(id);
      return user === undefined ? errAsync(accountNotFound()) : okAsync(profileOf(user));
    },
    markEmailVerified: (id, email) => {
      const user = users.get(id);
      if (user === undefined || emailKey(user.email) !== email) return errAsync(mailedTokenInvalid());
      users.set(id, { ...user, emailVerified: true, updatedAt: now(), revision: user.revision + 1 });
      return okAsync();
    },
    replacePasswordHash: (id, { from, to }) => {
      const user = users.get(id);
      if (user?.passwordHash === from) users.set(id, { ...user, passwordHash: to });
      return okAsync();
    },
  };
};

const profileOf = ({ passwordHash, credentialsVersion: _, ...user }: UserRow): Profile => ({
  ...user,
  hasPassword: passwordHash !== undefined,
});
