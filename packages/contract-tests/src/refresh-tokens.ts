import { RefreshToken, type SessionId, type TokenHash, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { block, rollBack, storedAccount, storedSession } from './arrangements.ts';
import { aTokenHash, noClient, unique } from './builders.ts';
import { casesOn, fakePorts } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { goesOn, hold } from './gate.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rejectionOf, rounds, runUnit, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const refreshTokensContract = contract('RefreshTokens contract', (storage) => {
  describe('present', () => presentation(storage));
  describe('rotate', () => rotation(storage));
  describe('sessionOf', () => sessionLookup(storage));
  describe('concurrent uses of one token', () => racing(storage));
  describe('reuse of a token', () => reuse(storage));
});

const present = (storage: Storage, hash: TokenHash) =>
  runUnit(storage, ({ refreshTokens }) => refreshTokens.present(hash));

/** Outside a unit, like a refresh. */
const rotate = async (storage: Storage, hash: TokenHash) => {
  const successor = { hash: aTokenHash(), lifetimeSeconds: 1000 };
  return okOf(storage.unitOfWork.single(({ refreshTokens }) => refreshTokens.rotate(hash, successor, noClient)));
};

/** Rotates the token and resolves to its successor. */
const rotated = (storage: Storage, hash: TokenHash, lifetimeSeconds = 1000): Promise<TokenHash> => {
  const successor = aTokenHash();
  return runUnit(storage, ({ refreshTokens }) =>
    refreshTokens.rotate(hash, { hash: successor, lifetimeSeconds }, noClient).map(() => successor),
  );
};

function presentation(storage: () => Storage): void {
  it('reports an unknown token as unknown', async () => {
    expect(await present(storage(), aTokenHash())).to.deep.equal({ state: 'unknown' });
  });

  it('finds the session of a live token', async () => {
    const { userId, sessionId, token } = await storedSession(storage(), { methods: ['pwd', 'otp'] });
    expect(await present(storage(), token)).to.deep.equal({
      state: 'live',
      userId,
      sessionId,
      methods: ['pwd', 'otp'],
      standing: 'active',
    });
  });

  it('reports that the account has become inactive', async () => {
    const { userId, token } = await storedSession(storage());
    await block(storage(), userId);
    expect(await present(storage(), token)).to.include({ state: 'live', standing: 'inactive' });
  });

  it('reports a token as dead once it expires, and not before', async () => {
    const { token } = await storedSession(storage(), {}, { lifetimeSeconds: 1000 });
    await storage().passTime(900);
    expect(await present(storage(), token)).to.include({ state: 'live' });
    await storage().passTime(100);
    expect(await present(storage(), token)).to.deep.equal({ state: 'dead' });
  });

  it('reports a token as dead when its session has ended', async () => {
    const { userId, sessionId, token } = await storedSession(storage());
    await runUnit(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));
    expect(await present(storage(), token)).to.deep.equal({ state: 'dead' });
  });

  it('reports a token as dead when its session has expired', async () => {
    const { token } = await storedSession(storage(), { lifetimeSeconds: 100 }, { lifetimeSeconds: 1000 });
    await storage().passTime(100);
    expect(await present(storage(), token)).to.deep.equal({ state: 'dead' });
  });

  it('recognizes a used token', async () => {
    const { userId, sessionId, token } = await storedSession(storage());
    await rotated(storage(), token);
    expect(await present(storage(), token)).to.deep.equal({ state: 'used', userId, sessionId });
  });

  it('recognizes a used token as long as the session is live, even after the token has expired', async () => {
    const { id: userId } = await storedAccount(storage());
    const { sessionId, token } = await storedSession(
      storage(),
      { userId, lifetimeSeconds: 5000 },
      { lifetimeSeconds: 100 },
    );
    const next = await rotated(storage(), token, 100);
    await rotated(storage(), next, 3000);
    await storage().passTime(2000);
    expect(await present(storage(), token)).to.deep.equal({ state: 'used', userId, sessionId });
    expect(await present(storage(), next)).to.deep.equal({ state: 'used', userId, sessionId });
  });

  it('reports a used token as dead when its session has ended', async () => {
    const { userId, sessionId, token } = await storedSession(storage());
    await rotated(storage(), token);
    await runUnit(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));
    expect(await present(storage(), token)).to.deep.equal({ state: 'dead' });
  });
}

interface Stored {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly token: TokenHash;
}

function rotation(storage: () => Storage): void {
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

  it('keeps the token if the unit is rolled back', async () => {
    const { token } = await storedSession(storage());
    const successor = { hash: aTokenHash(), lifetimeSeconds: 1000 };
    await rollBack(storage(), ({ refreshTokens }) =>
      refreshTokens.present(token).andThen(() => refreshTokens.rotate(token, successor, noClient)),
    );
    expect(await present(storage(), token)).to.include({ state: 'live' });
    expect(await present(storage(), successor.hash)).to.deep.equal({ state: 'unknown' });
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

function sessionLookup(storage: () => Storage): void {
  const sessionOf = (hash: TokenHash) => readView(storage(), ({ refreshTokens }) => refreshTokens.sessionOf(hash));

  it('reports an unknown token as unknown', async () => {
    expect(await sessionOf(aTokenHash())).to.equal(undefined);
  });

  it('finds the session even if the token was used or the session has ended', async () => {
    const { userId, sessionId, token } = await storedSession(storage());
    expect(await sessionOf(token), 'live').to.deep.equal({ userId, sessionId });
    const successor = await rotated(storage(), token);
    expect(await sessionOf(token), 'used').to.deep.equal({ userId, sessionId });
    await runUnit(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));
    expect(await sessionOf(successor), 'ended').to.deep.equal({ userId, sessionId });
    await storage().passTime(100_000);
    expect(await sessionOf(successor), 'expired').to.deep.equal({ userId, sessionId });
  });
}

/** A session opened with a plain token, as a client has it. */
async function signedIn(storage: Storage) {
  const plain = RefreshToken.parse(`refresh-${unique()}`);
  const { id: userId } = await storedAccount(storage);
  return { ...(await storedSession(storage, { userId }, { hash: fakePorts.tokenHashes.of(plain) })), plain };
}

const refreshing = (storage: Storage) => casesOn(storage).refreshSession;

function racing(storage: () => Storage): void {
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

function reuse(storage: () => Storage): void {
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
