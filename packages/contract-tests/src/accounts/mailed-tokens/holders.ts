import type { TokenHash } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount } from '../../arrangements/index.ts';
import { aTokenHash } from '../../builders/index.ts';
import { errorOf, okOf, rounds } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { issued, type Purpose, redeem } from './tokens.ts';

/** Whose token it is, without redeeming it. */
export function holding(storage: () => Storage): void {
  const holderOf = (hash: TokenHash, purpose: Purpose = 'verify-email') =>
    storage().unitOfWork.view(({ mailedTokens }) => mailedTokens.holder(hash, purpose));
  const isUnknown = async (hash: TokenHash, purpose?: Purpose) => {
    expect(await errorOf(holderOf(hash, purpose))).to.deep.equal({ type: 'MailedTokenInvalid' });
  };

  it('finds the owner of a live token, and redeems nothing', async () => {
    const { userId, hash } = await issued(storage());
    for (const _ of rounds) expect(await okOf(holderOf(hash))).to.equal(userId);
    await okOf(redeem(storage(), hash));
  });

  it('finds nobody for a token that is unknown, for another purpose, spent, superseded or expired', async () => {
    const { id: userId } = await storedAccount(storage());
    await isUnknown(aTokenHash());
    const superseded = await issued(storage(), { userId });
    const spent = await issued(storage(), { userId });
    await isUnknown(superseded.hash);
    await isUnknown(spent.hash, 'reset-password');
    await okOf(redeem(storage(), spent.hash));
    await isUnknown(spent.hash);
    const late = await issued(storage(), { userId, lifetimeSeconds: 60 });
    await storage().passTime(60);
    await isUnknown(late.hash);
  });

  it('finds nobody once the credentials changed', async () => {
    const { userId, hash } = await issued(storage());
    await storage().changeCredentials(userId);
    await isUnknown(hash);
  });
}
