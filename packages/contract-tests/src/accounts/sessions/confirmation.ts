import { type AccessClaims, confirmationSeconds, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount, storedSession } from '../../arrangements/index.ts';
import { aTokenHash, aTotpSecret, noClient } from '../../builders/index.ts';
import { errorOf, okOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { callerOf } from './authentication.ts';

/** How long a sign-in counts as confirmed, and by what it can be confirmed again. */
export function confirmation(storage: () => Storage): void {
  const confirm = ({ userId, sessionId }: AccessClaims) =>
    storage().unitOfWork.run(({ sessions }) => sessions.confirm({ userId, sessionId }));
  const standing = async (claims: AccessClaims) => {
    const { credential } = await okOf(callerOf(storage(), claims));
    return credential.kind === 'session' ? { ...credential, id: undefined } : undefined;
  };
  const secondFactor = (user: UserId, confirmed: boolean) =>
    runUnit(storage(), ({ twoFactors }) =>
      twoFactors
        .begin({ user, secret: aTotpSecret(), lifetimeSeconds: 900 })
        .andThen(() => twoFactors.enable(user, { confirmed })),
    );

  it('counts for a while after signing in, and again after confirming', async () => {
    const session = await storedSession(storage());
    await storage().passTime(confirmationSeconds - 10);
    expect(await standing(session)).to.include({ confirmed: true });
    await storage().passTime(10);
    expect(await standing(session)).to.include({ confirmed: false });
    await okOf(confirm(session));
    expect(await standing(session)).to.include({ confirmed: true });
  });

  it('is not renewed by a refresh', async () => {
    const session = await storedSession(storage());
    await storage().passTime(confirmationSeconds);
    await runUnit(storage(), ({ refreshTokens }) =>
      refreshTokens.rotate(session.token, { hash: aTokenHash(), lifetimeSeconds: 100 }, noClient),
    );
    expect(await standing(session)).to.include({ confirmed: false });
  });

  it('is refused to a session that has ended, expired or belongs to somebody else', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const ended = await storedSession(storage(), { userId: ada.id });
    const expired = await storedSession(storage(), { userId: ada.id, lifetimeSeconds: 50 });
    await runUnit(storage(), ({ sessions }) => sessions.end(ended));
    await storage().passTime(50);
    for (const claims of [ended, expired, { ...expired, userId: grace.id }]) {
      expect(await errorOf(confirm(claims))).to.deep.equal({ type: 'SessionNotFound' });
    }
  });

  it('accepts a code of a factor that is older than the session', async () => {
    const { id: userId } = await storedAccount(storage());
    const before = await storedSession(storage(), { userId });
    await storage().passTime(10);
    await secondFactor(userId, false);
    await storage().passTime(10);
    const after = await storedSession(storage(), { userId });
    expect(await standing(before)).to.deep.include({ confirmableBy: ['password'] });
    expect(await standing(after)).to.deep.include({ confirmableBy: ['password', 'code'] });
  });

  it('accepts a code of a factor that a confirmed session enrolled', async () => {
    const session = await storedSession(storage());
    await storage().passTime(10);
    await secondFactor(session.userId, true);
    expect(await standing(session)).to.deep.include({ confirmableBy: ['password', 'code'] });
  });

  it('is by a provider for a user without any factor', async () => {
    const { id: userId } = await storedAccount(storage(), { passwordHash: undefined });
    const session = await storedSession(storage(), { userId, provider: 'acme', methods: ['fed'] });
    expect(await standing(session)).to.deep.include({ provider: 'acme', confirmableBy: ['provider'] });
  });
}
