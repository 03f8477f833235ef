import {
  type AccountBlocks,
  type AccountFacts,
  type AccountNotFound,
  type Accounts,
  accountNotFound,
  type Credentials,
  type EmailKey,
  emailKey,
  emailTaken,
  mailedTokenInvalid,
  type Profile,
  type UserId,
  unauthenticated,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { revokeInvitationsBy } from '../organizations/invitations.ts';
import { organizationsOf, passkeysOf, usesCodes } from '../organizations/memberships.ts';
import type { UserRow } from '../tables/account-rows.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import { isReserved } from './address-changes.ts';
import { standingOf } from './callers.ts';

export const memoryAccounts = (unit: Unit): Accounts => {
  const { tables, now } = unit;
  const change = changesIn(unit);
  const { users } = tables;
  const byEmail = (email: EmailKey) => [...users.values()].find((user) => emailKey(user.email) === email);
  const byId = (id: UserId): Result<UserRow, AccountNotFound> => {
    const user = users.get(id);
    return user === undefined ? err(accountNotFound()) : ok(user);
  };
  const facts: Accounts['facts'] = (id) => byId(id).asyncAndThen((user) => okAsync(factsOf(tables, user)));
  const profile: Accounts['profile'] = (id) => byId(id).asyncAndThen((user) => okAsync(profileOf(tables, user)));
  return {
    add: (account) => {
      const key = emailKey(account.email);
      if (byEmail(key) !== undefined || isReserved(unit, account.id, key)) return errAsync(emailTaken());
      users.set(account.id, {
        ...account,
        active: true,
        emailVerified: false,
        credentialsVersion: 1,
        limits: {},
        createdAt: now(),
        updatedAt: now(),
        revision: 1,
      });
      return okAsync();
    },
    factsByEmail: (email) => {
      const user = byEmail(email);
      return okAsync(user && factsOf(tables, user));
    },
    facts,
    profile,
    markEmailVerified: (id, email) => {
      const user = users.get(id);
      if (user === undefined || emailKey(user.email) !== email) return errAsync(mailedTokenInvalid());
      return change(id, () => ({ emailVerified: true, ...touched(unit, user) }));
    },
    saveProfile: (id, { firstName, lastName }) =>
      change(id, (user) => ({ firstName, lastName, ...touched(unit, user) })).andThen(() => profile(id)),
    lock: facts,
  };
};

export const memoryAccountBlocks = (unit: Unit): AccountBlocks => {
  const change = changesIn(unit);
  const set = (id: UserId, active: boolean) =>
    change(id, (user) => (user.active === active ? {} : { active, ...touched(unit, user) }));
  return {
    block: (id) => {
      revokeInvitationsBy(unit, id);
      return set(id, false);
    },
    unblock: (id) => set(id, true),
  };
};

export const memoryCredentials = (unit: Unit): Credentials => {
  const change = changesIn(unit);
  return {
    setPassword: (id, passwordHash) =>
      change(id, (user) => ({
        passwordHash,
        passwordSetAt: unit.now(),
        credentialsVersion: user.credentialsVersion + 1,
        ...touched(unit, user),
      })),
    lockBy: (user, id) => {
      const session = unit.tables.sessions.get(id);
      const hasEnded = session?.userId === user && (session.ended || session.expiresAt <= unit.now());
      return hasEnded ? errAsync(unauthenticated()) : okAsync();
    },
    renew: (id, resets) =>
      change(id, (user) => {
        const { mailedTokens } = unit.tables;
        const credentialsVersion = user.credentialsVersion + 1;
        for (const [hash, token] of resets === undefined ? [] : mailedTokens) {
          const isLive = token.userId === id && token.credentialsVersion === user.credentialsVersion;
          if (isLive && token.purpose === 'reset-password') mailedTokens.set(hash, { ...token, credentialsVersion });
        }
        return { credentialsVersion };
      }),
    replacePasswordHash: (id, { from, to }) =>
      change(id, ({ passwordHash }) => (passwordHash === from ? { passwordHash: to } : {})),
  };
};

/** Changes a user if it exists. */
const changesIn =
  ({ tables: { users } }: Unit) =>
  (id: UserId, changes: (user: UserRow) => Partial<UserRow>) => {
    const user = users.get(id);
    if (user !== undefined) users.set(id, { ...user, ...changes(user) });
    return okAsync();
  };

/** What every change of the profile changes. */
export const touched = ({ now }: Unit, { revision }: UserRow) => ({ updatedAt: now(), revision: revision + 1 });

/** The facts that decide whether the account may sign in. */
export function factsOf(tables: Tables, user: UserRow): AccountFacts {
  const { id, email, passwordHash, credentialsVersion, emailVerified, active } = user;
  return {
    userId: id,
    email,
    passwordHash,
    credentialsVersion,
    emailVerified,
    blocked: !active,
    standing: standingOf(user),
    twoFactorEnabled: usesCodes(tables, id),
    passkeys: passkeysOf(tables, id).length,
    providers: providersOf(tables, id).length,
  };
}

const providersOf = ({ identities }: Tables, user: UserId) =>
  [...identities.values()].flatMap(({ userId, provider }) => (userId === user ? [provider] : []));

const profileOf = (tables: Tables, { passwordHash, credentialsVersion: _, limits: __, ...user }: UserRow): Profile => ({
  ...user,
  hasPassword: passwordHash !== undefined,
  connectedProviders: providersOf(tables, user.id).toSorted(),
  twoFactorEnabled: usesCodes(tables, user.id),
  twoFactorEnforced: organizationsOf(tables, user.id).some(([, { enforceTwoFactor }]) => enforceTwoFactor),
});
