import {
  type AccountStanding,
  type Accounts,
  accountNotFound,
  emailKey,
  emailTaken,
  type LoginFacts,
  mailedTokenInvalid,
  type Profile,
} from '@zonewright/core';
import type { Connection } from './database.ts';
import { maybe, required, run } from './query.ts';
import { sql } from './sql.ts';

export const standing = (inGoodStanding: boolean): AccountStanding => (inGoodStanding ? 'active' : 'inactive');

type LoginRow = Omit<LoginFacts, 'standing' | 'passwordHash'> & {
  readonly inGoodStanding: boolean;
  readonly passwordHash: LoginFacts['passwordHash'] | null;
};

export const postgresAccounts = (on: Connection): Accounts => ({
  add: (account) =>
    required(on, sql.accounts.add, { ...account, emailKey: emailKey(account.email) }, emailTaken).map(() => undefined),
  loginFacts: (email) =>
    maybe<LoginRow>(on, sql.accounts.loginFacts, { emailKey: email }).map((row) => {
      if (row === undefined) return undefined;
      const { inGoodStanding, passwordHash, ...facts } = row;
      return { ...facts, passwordHash: passwordHash ?? undefined, standing: standing(inGoodStanding) };
    }),
  profile: (id) =>
    required<Profile, ReturnType<typeof accountNotFound>>(on, sql.accounts.profile, { id }, accountNotFound),
  markEmailVerified: (id, email) =>
    required(on, sql.accounts.markEmailVerified, { id, emailKey: email }, mailedTokenInvalid).map(() => undefined),
  replacePasswordHash: (id, { from, to }) => run(on, sql.accounts.replacePasswordHash, { id, from, to }),
});
