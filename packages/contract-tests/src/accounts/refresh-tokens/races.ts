import { expect } from 'chai';
import { block } from '../../arrangements/index.ts';
import { aTokenHash, noClient } from '../../builders/index.ts';
import { casesOn } from '../../fakes.ts';
import { goesOn, hold } from '../../gate.ts';
import { concurrently, okOf, raceSize, rounds, runUnit, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { present, refreshing, rotate, signedIn } from './tokens.ts';

/** Concurrent uses of one token, and other changes of its session. */
export function racing(storage: () => Storage): void {
  it('lets exactly one of twenty concurrent refreshes succeed', async () => {
    for (const _ of rounds) {
      const { plain, userId } = await signedIn(storage());
      const results = await concurrently(raceSize, () => refreshing(storage())(plain, noClient));
      const { Ok = 0, RefreshTokenInvalid = 0, RefreshTokenReused = 0, ...others } = tally(results);
      expect({ Ok, refused: RefreshTokenInvalid + RefreshTokenReused, others }).to.deep.equal({
        Ok: 1,
        refused: raceSize - 1,
        others: {},
      });
      expect(await storage().liveRefreshTokens(userId)).to.be.at.most(1);
    }
  });

  it('reports that the token is in flight, without waiting and without detecting reuse', async () => {
    const { token } = await signedIn(storage());
    const successor = { hash: aTokenHash(), lifetimeSeconds: 1000 };
    const held = await hold(storage(), ({ refreshTokens }) =>
      refreshTokens.present(token).andThen(() => refreshTokens.rotate(token, successor, noClient)),
    );
    const others = [present(storage(), token), rotate(storage(), token)];
    for (const other of others) expect(await goesOn(storage(), other)).to.equal(true);
    await held.release();
    for (const other of others) expect(await other).to.deep.equal({ state: 'in flight' });
    expect(await present(storage(), successor.hash)).to.include({ state: 'live' });
  });

  it('makes the end of the session wait for the refresh, and ends its successor too', async () => {
    const { token, userId, sessionId } = await signedIn(storage());
    const successor = { hash: aTokenHash(), lifetimeSeconds: 1000 };
    const held = await hold(storage(), ({ refreshTokens }) => refreshTokens.present(token));
    const end = runUnit(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));
    await okOf(held.endBefore(end, ({ refreshTokens }) => refreshTokens.rotate(token, successor, noClient)));
    await end;
    expect(await present(storage(), successor.hash)).to.deep.equal({ state: 'dead' });
  });

  it('makes a change of the account wait for the refresh', async () => {
    const { token, userId } = await signedIn(storage());
    const held = await hold(storage(), ({ refreshTokens }) => refreshTokens.present(token));
    const change = block(storage(), userId);
    await held.endBefore(change);
    await change;
  });

  for (const [which, use, state] of [
    ['reads the state of the token', present, 'dead'],
    ['exchanges it', rotate, 'refused'],
  ] as const) {
    it(`${which} only after the end of the session has committed`, async () => {
      const { token, userId, sessionId } = await signedIn(storage());
      const held = await hold(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));
      const second = use(storage(), token);
      await held.endBefore(second);
      expect(await second).to.deep.equal({ state });
      expect(await storage().liveRefreshTokens(userId)).to.equal(0);
    });
  }

  it('leaves nothing valid when a logout and a refresh of one session coincide', async () => {
    const leaving = casesOn(storage()).logOut;
    for (const _ of rounds) {
      const { plain, userId } = await signedIn(storage());
      const [left, refreshed] = await Promise.all([
        leaving({ accessToken: undefined, refreshToken: plain }, noClient),
        refreshing(storage())(plain, noClient),
      ]);
      expect(tally([left])).to.deep.equal({ Ok: 1 });
      expect(tally([refreshed])).to.have.any.keys('Ok', 'RefreshTokenInvalid');
      expect(await storage().liveRefreshTokens(userId)).to.equal(0);
    }
  });
}
