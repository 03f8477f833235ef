import type { TokenHash, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedUnverified } from '../../arrangements/index.ts';
import { concurrently, errorOf, okOf, raceSize, rounds, runUnit, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { added, callerOf, list, revoke, secondsAfter, storedNow } from './tokens.ts';

/** Whom a token authenticates, and the record of its use. */
export function recognition(storage: () => Storage): void {
  const isRefused = async (hash: TokenHash) => {
    expect(await errorOf(callerOf(storage(), hash))).to.deep.equal({ type: 'Unauthenticated' });
  };
  const lastUsedAt = async (userId: UserId) => (await list(storage(), userId)).items[0]?.lastUsedAt;

  for (const readOnly of [true, false]) {
    it(`authenticates the user with a token that is ${readOnly ? 'read-only' : 'unrestricted'}`, async () => {
      const { userId, hash, id } = await added(storage(), { readOnly });
      expect(await okOf(callerOf(storage(), hash))).to.deep.equal({
        userId,
        credential: { kind: 'apiToken', id, readOnly, scoped: false, permissions: ['admin'], zones: undefined },
        memberships: new Map(),
      });
    });
  }

  it('authenticates the user until the token expires', async () => {
    const expiresAt = secondsAfter(await storedNow(storage()), 1000).toISOString();
    const { hash } = await added(storage(), { expiresAt });
    await storage().passTime(900);
    expect((await callerOf(storage(), hash)).isOk()).to.equal(true);
    await storage().passTime(100);
    await isRefused(hash);
  });

  it('refuses the tokens of an account with an unverified address', async () => {
    const account = await storedUnverified(storage());
    await isRefused((await added(storage(), { userId: account.id })).hash);
  });

  it('survives the end of the user’s sessions and password changes', async () => {
    const { hash, userId } = await added(storage());
    await runUnit(storage(), ({ sessions }) => sessions.endAllOf(userId));
    await storage().changeCredentials(userId);
    expect((await callerOf(storage(), hash)).isOk()).to.equal(true);
  });

  it('records the use, and another one after a minute', async () => {
    const { hash, userId } = await added(storage());
    await okOf(callerOf(storage(), hash));
    const first = await lastUsedAt(userId);
    expect(first).to.be.an.instanceOf(Date);
    await okOf(callerOf(storage(), hash));
    expect(await lastUsedAt(userId)).to.deep.equal(first);
    await storage().passTime(60);
    const noted = await lastUsedAt(userId);
    await okOf(callerOf(storage(), hash));
    const next = await lastUsedAt(userId);
    expect(next!.getTime() - noted!.getTime()).to.be.at.least(0);
    expect(secondsAfter(await storedNow(storage()), -50) < next!, 'the recorded use is current').to.equal(true);
  });

  it('records no use of a refused token', async () => {
    const token = await added(storage());
    await okOf(revoke(storage(), token));
    await isRefused(token.hash);
    expect(await lastUsedAt(token.userId)).to.equal(undefined);
  });

  it('authenticates twenty concurrent requests with one token', async () => {
    const { hash } = await added(storage());
    for (const _ of rounds) {
      expect(tally(await concurrently(raceSize, () => callerOf(storage(), hash)))).to.deep.equal({ Ok: raceSize });
      await storage().passTime(60);
    }
  });
}
