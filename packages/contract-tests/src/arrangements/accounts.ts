import { type AssertionResponse, emailKey, type TotpSecret, type UserId } from '@zonewright/core';
import {
  anAccount,
  anIdentity,
  aPasskey,
  aTotpSecret,
  type NewAccount,
  type NewIdentity,
  type NewPasskey,
} from '../builders/index.ts';
import { runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

/** Stores an account with a verified address. */
export const storedAccount = (storage: Storage, given: Partial<NewAccount> = {}): Promise<NewAccount> => {
  const account = anAccount(given);
  return runUnit(storage, ({ accounts }) =>
    accounts
      .add(account)
      .andThen(() => accounts.markEmailVerified(account.id, emailKey(account.email)))
      .map(() => account),
  );
};

/** The user that the test names, or a new one. */
export const userOf = async (storage: Storage, given: { readonly userId?: UserId }): Promise<UserId> =>
  given.userId ?? (await storedAccount(storage)).id;

/** Stores an account whose address is not verified. */
export const storedUnverified = (storage: Storage): Promise<NewAccount> => {
  const account = anAccount();
  return runUnit(storage, ({ accounts }) => accounts.add(account).map(() => account));
};

/** Links an identity to an account, by default to a new one. */
export const storedIdentity = async (storage: Storage, given: Partial<NewIdentity> = {}): Promise<NewIdentity> => {
  const identity = anIdentity({ ...given, userId: await userOf(storage, given) });
  return runUnit(storage, ({ identities }) => identities.link(identity).map(() => identity));
};

/** Blocks an account in its own unit. */
export const block = (storage: Storage, user: UserId): Promise<void> =>
  runUnit(storage, ({ accountBlocks }) => accountBlocks.block(user));

/** Enables two-factor authentication; resolves to the secret. */
export const storedSecondFactor = (storage: Storage, user: UserId): Promise<TotpSecret> => {
  const secret = aTotpSecret();
  return runUnit(storage, ({ twoFactors }) =>
    twoFactors
      .begin({ user, secret, lifetimeSeconds: 900 })
      .andThen(() => twoFactors.enable(user, { confirmed: true }))
      .map(() => secret),
  );
};

/** Stores a passkey, by default of a new user. */
export async function storedPasskey(storage: Storage, given: Partial<NewPasskey> = {}): Promise<NewPasskey> {
  const passkey = aPasskey({ ...given, userId: await userOf(storage, given) });
  await runUnit(storage, ({ passkeys }) => passkeys.add(passkey));
  return passkey;
}

/** The response of a passkey to a challenge, as `plainPasskeyCeremonies` takes it. */
export const assertionBy = (
  { credentialId, publicKey, userId }: NewPasskey,
  challenge: string,
  counter = 0,
): AssertionResponse => ({
  id: credentialId,
  rawId: credentialId,
  type: 'public-key',
  response: {
    clientDataJSON: challenge,
    authenticatorData: publicKey,
    signature: String(counter),
    userHandle: userId,
  },
  clientExtensionResults: {},
});
