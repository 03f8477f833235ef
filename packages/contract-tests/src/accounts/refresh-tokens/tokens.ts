import { RefreshToken, type TokenHash } from '@zonewright/core';
import { storedAccount, storedSession } from '../../arrangements/index.ts';
import { aTokenHash, noClient, unique } from '../../builders/index.ts';
import { casesOn, fakePorts } from '../../fakes.ts';
import { okOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** The state of a token, in its own unit. */
export const present = (storage: Storage, hash: TokenHash) =>
  runUnit(storage, ({ refreshTokens }) => refreshTokens.present(hash));

/** Outside a unit, like a refresh. */
export const rotate = async (storage: Storage, hash: TokenHash) => {
  const successor = { hash: aTokenHash(), lifetimeSeconds: 1000 };
  return okOf(storage.unitOfWork.single(({ refreshTokens }) => refreshTokens.rotate(hash, successor, noClient)));
};

/** Rotates the token and resolves to its successor. */
export const rotated = (storage: Storage, hash: TokenHash, lifetimeSeconds = 1000): Promise<TokenHash> => {
  const successor = aTokenHash();
  return runUnit(storage, ({ refreshTokens }) =>
    refreshTokens.rotate(hash, { hash: successor, lifetimeSeconds }, noClient).map(() => successor),
  );
};

/** A session opened with a plain token, as a client has it. */
export async function signedIn(storage: Storage) {
  const plain = RefreshToken.parse(`refresh-${unique()}`);
  const { id: userId } = await storedAccount(storage);
  return { ...(await storedSession(storage, { userId }, { hash: fakePorts.tokenHashes.of(plain) })), plain };
}

/** The use case of a refresh. */
export const refreshing = (storage: Storage) => casesOn(storage).refreshSession;
