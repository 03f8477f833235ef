import type { SessionId, TokenHash, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { block, storedAccount, storedSession } from '../../arrangements/index.ts';
import { aTokenHash } from '../../builders/index.ts';
import { rejectionOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { present, rotate, rotated } from './tokens.ts';

interface Stored {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly token: TokenHash;
}

/** The exchange of a token for its successor. */
export function rotation(storage: () => Storage): void {
  it('replaces the token with its successor', async () => {
    const { userId, sessionId, token } = await storedSession(storage(), { methods: ['pwd', 'otp'] });
    const successor = await rotated(storage(), token);
    expect(await present(storage(), successor)).to.deep.equal({
      state: 'live',
      userId,
      sessionId,
      methods: ['pwd', 'otp'],
      standing: 'active',
    });
    expect(await storage().liveRefreshTokens(userId)).to.equal(1);
  });

  it('starts a new lifetime for the successor', async () => {
    const { token } = await storedSession(storage(), {}, { lifetimeSeconds: 100 });
    const successor = await rotated(storage(), token, 1000);
    await storage().passTime(900);
    expect(await present(storage(), successor)).to.include({ state: 'live' });
    await storage().passTime(100);
    expect(await present(storage(), successor)).to.deep.equal({ state: 'dead' });
  });

  it('lets no token outlive its session', async () => {
    const { id: userId } = await storedAccount(storage());
    const first = await storedSession(storage(), { userId, lifetimeSeconds: 500 }, { lifetimeSeconds: 1000 });
    const second = await storedSession(storage(), { userId, lifetimeSeconds: 500 }, { lifetimeSeconds: 100 });
    await rotated(storage(), second.token, 1000);
    expect(await storage().liveRefreshTokens(userId)).to.equal(2);
    await storage().passTime(500);
    expect(await storage().liveRefreshTokens(userId)).to.equal(0);
    expect(await present(storage(), first.token)).to.deep.equal({ state: 'dead' });
  });

  it('returns the session, and records the refresh', async () => {
    const { userId, sessionId, token } = await storedSession(storage(), { methods: ['pwd', 'otp'] });
    expect(await rotate(storage(), token)).to.deep.equal({
      state: 'rotated',
      userId,
      sessionId,
      methods: ['pwd', 'otp'],
    });
  });

  const refused: readonly (readonly [string, (of: Stored) => Promise<unknown>])[] = [
    ['was used before', ({ token }) => rotated(storage(), token)],
    ['has expired', () => storage().passTime(1000)],
    ['belongs to an ended session', (of) => runUnit(storage(), ({ sessions }) => sessions.end(of))],
    ['belongs to a blocked account', ({ userId }) => block(storage(), userId)],
  ];
  for (const [which, arrange] of refused) {
    it(`refuses a token that ${which}, and writes nothing`, async () => {
      const { id: userId } = await storedAccount(storage());
      const stored = await storedSession(storage(), { userId }, { lifetimeSeconds: 1000 });
      await arrange({ ...stored, userId });
      const live = await storage().liveRefreshTokens(userId);
      expect(await rotate(storage(), stored.token)).to.deep.equal({ state: 'refused' });
      expect(await storage().liveRefreshTokens(userId)).to.equal(live);
    });
  }

  it('reports an unknown token as unknown', async () => {
    expect(await rotate(storage(), aTokenHash())).to.deep.equal({ state: 'unknown' });
  });

  it('rejects a second initial token for a session', async () => {
    const { userId, sessionId } = await storedSession(storage());
    const another = { hash: aTokenHash(), sessionId, lifetimeSeconds: 1000 };
    await rejectionOf(storage().unitOfWork.run(({ refreshTokens }) => refreshTokens.add(another)));
    expect(await storage().liveRefreshTokens(userId)).to.equal(1);
  });
}
