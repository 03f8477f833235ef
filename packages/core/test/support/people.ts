import {
  type Client,
  type Email,
  emailKey,
  type LoggedIn,
  Login,
  type Operator,
  type PasswordHashes,
  Registration,
  type SessionTokens,
  type UserId,
} from '@zonewright/core';
import type { UserRow } from '@zonewright/memory';
import { register } from '../../src/accounts/registration/register.ts';
import { logIn } from '../../src/accounts/sign-in/log-in.ts';
import { valueOf } from './outcomes.ts';
import { inTables, type World } from './world.ts';

export const email = 'ada@example.org';
export const password = 'Correct-1';
/** A client without a network. */
export const noClient: Client = { network: undefined, userAgent: undefined };

/** The operator of the installation. */
export const operator: Operator = { network: undefined, userAgent: 'zonewright users (root)' };

/** A valid registration; members can be overridden. */
export const aRegistration = (changes: Readonly<Record<string, string>> = {}): Registration =>
  Registration.parse({ email, password, firstName: 'Ada', lastName: 'Lovelace', ...changes });

export const aLogin = (changes: Readonly<Record<string, string>> = {}): Login =>
  Login.parse({ email, password, ...changes });

/** A registered account with an unverified address. */
export const aNewUser = async (world: World, changes: Readonly<Record<string, string>> = {}): Promise<UserId> =>
  (await valueOf(register(world)(aRegistration(changes), noClient))).id;

/** An account that can sign in. */
export async function aUser(world: World, changes: Readonly<Record<string, string>> = {}): Promise<UserId> {
  const id = await aNewUser(world, changes);
  changeUser(world, id, { emailVerified: true });
  return id;
}

/** The tokens of a new session. */
export const aSession = async (world: World, changes: Readonly<Record<string, string>> = {}): Promise<SessionTokens> =>
  tokensOf(await valueOf(logIn(world)(aLogin(changes), noClient)));

/** The tokens of a sign-in without two-factor authentication. */
export function tokensOf(signedIn: LoggedIn): SessionTokens {
  if (signedIn.outcome !== 'session') throw new Error('The sign-in is not complete.');
  return signedIn.tokens;
}

export const changeUser = (world: Pick<World, 'unitOfWork'>, id: UserId, changes: Partial<UserRow>): void =>
  inTables(world, ({ users }) => {
    users.set(id, { ...users.get(id)!, ...changes });
  });

export const storedUser = (world: World, address: string): UserRow | undefined =>
  inTables(world, ({ users }) =>
    [...users.values()].find((user) => emailKey(user.email) === emailKey(address as Email)),
  );

/** Password hashing that records its calls. */
export const watched = (passwords: PasswordHashes): PasswordHashes & { readonly asked: readonly string[] } => {
  const asked: string[] = [];
  return {
    ...passwords,
    asked,
    hash: (plain) => {
      asked.push(`hash ${plain}`);
      return passwords.hash(plain);
    },
    verify: (hash, attempt) => {
      asked.push(`verify ${hash ?? 'nothing'}`);
      return passwords.verify(hash, attempt);
    },
  };
};
