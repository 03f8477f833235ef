import type { RecoveryCodeHash, TotpSecret, UserId } from '@zonewright/core';
import { storedAccount, storedSecondFactor } from '../../arrangements/index.ts';
import { aTotpSecret } from '../../builders/index.ts';
import { runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** The state of the second factor of a user. */
export const stateOf = (storage: Storage, user: UserId) => runUnit(storage, ({ twoFactors }) => twoFactors.lock(user));

/** Begins a setup and resolves to its secret. */
export const begun = async (storage: Storage, user: UserId, lifetimeSeconds = 900): Promise<TotpSecret> => {
  const secret = aTotpSecret();
  await runUnit(storage, ({ twoFactors }) => twoFactors.begin({ user, secret, lifetimeSeconds }));
  return secret;
};

/** Enables the pending second factor in its own unit. */
export const enable = ({ unitOfWork }: Storage, user: UserId) =>
  unitOfWork.run(({ twoFactors }) => twoFactors.enable(user, { confirmed: true }));

/** Uses up a time step in its own unit. */
export const spendStep = ({ unitOfWork }: Storage, user: UserId, step: number) =>
  unitOfWork.run(({ twoFactors }) => twoFactors.spendStep(user, step));

/** A user with two-factor authentication. */
export async function protectedUser(storage: Storage): Promise<UserId> {
  const { id } = await storedAccount(storage);
  await storedSecondFactor(storage, id);
  return id;
}

/** The hash of a recovery code; storage treats hashes as opaque texts, so any text is one. */
export const hashOf = (code: string) => `key:${code}` as RecoveryCodeHash;

/** Uses up the recovery code with one of the hashes in its own unit. */
export const spendCode = ({ unitOfWork }: Storage, user: UserId, candidates: readonly RecoveryCodeHash[]) =>
  unitOfWork.run(({ twoFactors }) => twoFactors.spendRecoveryCode(user, candidates));
