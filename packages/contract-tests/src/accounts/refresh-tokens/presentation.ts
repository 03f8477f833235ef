import { expect } from 'chai';
import { block, storedAccount, storedSession } from '../../arrangements/index.ts';
import { aTokenHash } from '../../builders/index.ts';
import { runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { present, rotated } from './tokens.ts';

/** What storage knows about a token that is presented. */
export function presentation(storage: () => Storage): void {
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
