import { expect } from 'chai';
import { aTokenHash } from '../../builders/index.ts';
import { expectOneWinner } from '../../races.ts';
import { concurrently, errorOf, okOf, raceSize, tally } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { accept, byHash, endings, invited, isInvalid, renew } from './invited.ts';

/** A new token and lifetime for an invitation that is pending. */
export function renewal(storage: () => Storage): void {
  it('sets a new token and lifetime, and invalidates the old token', async () => {
    const invitation = await invited(storage(), { lifetimeSeconds: 100 });
    await storage().passTime(90);
    const hash = aTokenHash();
    const renewed = await okOf(renew(storage(), invitation, hash, 100));
    expect(renewed).to.include({ id: invitation.id, email: invitation.email, status: 'pending', resends: 1 });
    await isInvalid(storage(), invitation.hash);
    await storage().passTime(90);
    expect(await okOf(byHash(storage(), hash))).to.deep.include({ id: invitation.id, resends: 1 });
    expect((await okOf(renew(storage(), invitation))).resends).to.equal(2);
  });

  for (const [status, end] of endings) {
    it(`refuses an invitation that was ${status}`, async () => {
      const invitation = await invited(storage());
      await end(storage(), invitation);
      const hash = aTokenHash();
      expect(await errorOf(renew(storage(), invitation, hash))).to.deep.equal({ type: 'InvitationEnded' });
      await isInvalid(storage(), hash);
    });
  }

  it('leaves one token valid when twenty are set concurrently', async () => {
    const invitation = await invited(storage());
    const hashes = Array.from({ length: raceSize }, () => aTokenHash());
    expect(tally(await concurrently(raceSize, (index) => renew(storage(), invitation, hashes[index])))).to.deep.equal({
      Ok: raceSize,
    });
    await expectOneWinner('InvitationTokenInvalid', (index) => accept(storage(), hashes[index]!));
  });
}
