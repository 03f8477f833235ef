import type { TokenHash } from '@zonewright/core';
import { expect } from 'chai';
import { userOf } from '../../arrangements/index.ts';
import { aMailedToken, type NewMailedToken } from '../../builders/index.ts';
import { errorOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** What a token is for. */
export type Purpose = NewMailedToken['purpose'];

/** Issues a token, by default to a new user, and returns it. */
export async function issued(storage: Storage, given: Partial<NewMailedToken> = {}): Promise<NewMailedToken> {
  const token = aMailedToken({ ...given, userId: await userOf(storage, given) });
  await runUnit(storage, ({ mailedTokens }) => mailedTokens.issue(token));
  return token;
}

/** Redeems a token in its own unit. */
export const redeem = ({ unitOfWork }: Storage, hash: TokenHash, purpose: Purpose = 'verify-email') =>
  unitOfWork.run(({ mailedTokens }) => mailedTokens.redeem(hash, purpose));

/** Expects that a token cannot be redeemed. */
export const isRefused = async (storage: Storage, hash: TokenHash, purpose?: Purpose) => {
  expect(await errorOf(redeem(storage, hash, purpose))).to.deep.equal({ type: 'MailedTokenInvalid' });
};
