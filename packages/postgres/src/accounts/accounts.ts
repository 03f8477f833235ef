import {
  type AccountBlocks,
  type AccountErasures,
  type AccountFacts,
  type AccountStanding,
  type Accounts,
  accountNotFound,
  type Credentials,
  emailKey,
  emailTaken,
  mailedTokenInvalid,
  type Profile,
  type SolelyOwned,
  type UserId,
  unauthenticated,
} from '@zonewright/core';
import { err, ok, okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { change, many, maybe, required, run, value } from '../connection/query.ts';
import type { ReadAheadSlot } from '../read-ahead.ts';
import { sql } from '../sql.ts';
import { isReserved } from './address-changes.ts';

type NotFound = ReturnType<typeof accountNotFound>;
/** A row of the facts of an account. */
export type FactsRow = Omit<AccountFacts, 'standing' | 'passwordHash'> & {
  readonly passwordHash: AccountFacts['passwordHash'] | null;
  readonly inGoodStanding: boolean;
};

/** The core's term for what statements return as `inGoodStanding`: neither blocked nor unverified. */
export const standing = (inGoodStanding: boolean): AccountStanding => (inGoodStanding ? 'active' : 'inactive');

export const postgresAccounts = (on: Connection, ahead: ReadAheadSlot): Accounts => ({
  add: (account) =>
    required(on, sql.accounts.add, { ...account, emailKey: emailKey(account.email) })
      .mapErr(emailTaken)
      .andThen(() => isReserved(on, { user: account.id, emailKey: emailKey(account.email) }))
      .andThen((reserved) => (reserved ? err(emailTaken()) : ok())),
  factsByEmail: (email) =>
    maybe<FactsRow>(on, sql.accounts.factsByEmail, { emailKey: email }).map((row) => row && factsOf(row)),
  facts: (id) => facts(on, id),
  profile: (id) => {
    const read = ahead.take('profile')?.profile;
    return read?.id === id ? okAsync(read) : profile(on, id);
  },
  markEmailVerified: (id, email) =>
    change(on, sql.accounts.markEmailVerified, { id, emailKey: email }).mapErr(mailedTokenInvalid),
  saveProfile: (id, { firstName, lastName }) =>
    run(on, sql.accounts.saveProfile, { id, firstName, lastName }).andThen(() => profile(on, id)),
  // Two statements: after waiting for the lock, the second one reads the current account.
  lock: (id) =>
    required(on, sql.accounts.lock, { id })
      .mapErr(accountNotFound)
      .andThen(() => facts(on, id)),
});

export const postgresAccountBlocks = (on: Connection): AccountBlocks => ({
  block: (id) => run(on, sql.accountBlocks.set, { id, active: false }),
  unblock: (id) => run(on, sql.accountBlocks.set, { id, active: true }),
});

export const postgresAccountErasures = (on: Connection): AccountErasures => ({
  // Several statements: after waiting for the locks, the last one reads who owns them now.
  lockSolelyOwned: (user) =>
    required(on, sql.accountErasures.lockAccount, { user })
      .mapErr(accountNotFound)
      .andThen(() => many(on, sql.accountErasures.lockOrganizations, { user }))
      .andThen(() => many<SolelyOwned>(on, sql.accountErasures.solelyOwned, { user })),
  erase: (user) => run(on, sql.accountErasures.erase, { user }),
});

export const postgresCredentials = (on: Connection): Credentials => ({
  setPassword: (id, hash) => run(on, sql.credentials.setPassword, { id, hash }),
  lockBy: (id, session) =>
    many(on, sql.accounts.lock, { id })
      .andThen(() => value<boolean>(on, sql.sessions.hasEnded, { id, session }))
      .andThen((ended) => (ended ? err(unauthenticated()) : ok())),
  renew: (id, resets) => run(on, sql.credentials.renew, { id, keepsResets: resets !== undefined }),
  replacePasswordHash: (id, { from, to }) => run(on, sql.credentials.replacePasswordHash, { id, from, to }),
});

const facts = (on: Connection, id: UserId): ResultAsync<AccountFacts, NotFound> =>
  required<FactsRow>(on, sql.accounts.facts, { id }).mapErr(accountNotFound).map(factsOf);

const profile = (on: Connection, id: UserId): ResultAsync<Profile, NotFound> =>
  required<Profile>(on, sql.accounts.profileById, { userId: id }).mapErr(accountNotFound);

/** The facts in a row. */
export const factsOf = ({ passwordHash, inGoodStanding, ...row }: FactsRow): AccountFacts => ({
  ...row,
  passwordHash: passwordHash ?? undefined,
  standing: standing(inGoodStanding),
});
