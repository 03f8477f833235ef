import { expect } from 'chai';
import { storedSession } from '../../arrangements/index.ts';
import { noClient } from '../../builders/index.ts';
import { fakePorts } from '../../fakes.ts';
import { concurrently, errorOf, okOf, raceSize, rounds, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { present, refreshing, signedIn } from './tokens.ts';

/** What the second use of a token ends. */
export function reuse(storage: () => Storage): void {
  it('ends all sessions of the user permanently, although the caller gets an error', async () => {
    const { plain, userId } = await signedIn(storage());
    const bystander = await signedIn(storage());
    const second = await storedSession(storage(), { userId });
    const { refreshToken } = await okOf(refreshing(storage())(plain, noClient));
    expect(await errorOf(refreshing(storage())(plain, noClient))).to.deep.equal({ type: 'RefreshTokenReused' });
    expect(await present(storage(), fakePorts.tokenHashes.of(refreshToken))).to.deep.equal({ state: 'dead' });
    expect(await present(storage(), second.token)).to.deep.equal({ state: 'dead' });
    expect(await storage().liveRefreshTokens(userId)).to.equal(0);
    expect(await present(storage(), bystander.token)).to.include({ state: 'live' });
  });

  it('is only detected once: a token of an ended session does not affect later sessions', async () => {
    const { plain, userId } = await signedIn(storage());
    await okOf(refreshing(storage())(plain, noClient));
    await errorOf(refreshing(storage())(plain, noClient));
    const later = await storedSession(storage(), { userId });
    expect(await errorOf(refreshing(storage())(plain, noClient))).to.deep.equal({ type: 'RefreshTokenInvalid' });
    expect(await present(storage(), later.token)).to.include({ state: 'live' });
  });

  it('ends every session when twenty reuses and refreshes coincide', async () => {
    for (const _ of rounds) {
      const { plain } = await signedIn(storage());
      const { refreshToken } = await okOf(refreshing(storage())(plain, noClient));
      const results = await concurrently(raceSize, (index) =>
        refreshing(storage())(index % 2 === 0 ? plain : refreshToken, noClient),
      );
      const { Ok = 0, RefreshTokenReused = 0 } = tally(results);
      expect(Ok).to.be.at.most(1);
      expect(RefreshTokenReused).to.be.at.least(1);
      expect(await present(storage(), fakePorts.tokenHashes.of(refreshToken))).to.deep.equal({ state: 'dead' });
    }
  });
}
