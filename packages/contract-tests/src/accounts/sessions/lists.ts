import type { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount, storedSession } from '../../arrangements/index.ts';
import { aSession, aTokenHash, noClient, wholeList } from '../../builders/index.ts';
import { readInPages } from '../../pages.ts';
import { readView, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';

/** What users see of their own sessions. */
export function lists(storage: () => Storage): void {
  const listOf = (userId: UserId, page = wholeList) =>
    readView(storage(), ({ sessions }) => sessions.list(userId, page));
  const idsOf = async (userId: UserId) => (await listOf(userId)).items.map(({ id }) => id);

  it('shows what the user may know about a session', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = aSession({ userId, methods: ['pwd', 'otp'], userAgent: 'Browser/2.0', lifetimeSeconds: 500 });
    await runUnit(storage(), ({ sessions }) => sessions.open(session));
    const { items, totalItems } = await listOf(userId);
    const { createdAt, lastUsedAt, expiresAt, ...rest } = items[0]!;
    expect(rest).to.deep.equal({ id: session.id, userAgent: 'Browser/2.0', twoFactor: true });
    expect(lastUsedAt).to.deep.equal(createdAt);
    expect(expiresAt.getTime() - createdAt.getTime()).to.equal(500_000);
    expect(totalItems).to.equal(1);
  });

  it('can have neither a user agent nor a second factor', async () => {
    const { id: userId } = await storedAccount(storage());
    await storedSession(storage(), { userId, userAgent: undefined });
    expect((await listOf(userId)).items[0]).to.include({ userAgent: undefined, twoFactor: false });
  });

  it('lists only the live sessions of that user', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const live = await storedSession(storage(), { userId: ada.id, lifetimeSeconds: 1000 });
    const ended = await storedSession(storage(), { userId: ada.id });
    await storedSession(storage(), { userId: ada.id, lifetimeSeconds: 100 });
    await storedSession(storage(), { userId: grace.id });
    await runUnit(storage(), ({ sessions }) => sessions.end(ended));
    await storage().passTime(100);
    expect(await listOf(ada.id)).to.have.property('totalItems', 1);
    expect(await idsOf(ada.id)).to.deep.equal([live.sessionId]);
  });

  it('lists the most recently used session first', async () => {
    const { id: userId } = await storedAccount(storage());
    const first = await storedSession(storage(), { userId });
    await storage().passTime(10);
    const second = await storedSession(storage(), { userId });
    expect(await idsOf(userId)).to.deep.equal([second.sessionId, first.sessionId]);
    await storage().passTime(10);
    await runUnit(storage(), ({ refreshTokens }) =>
      refreshTokens.rotate(first.token, { hash: aTokenHash(), lifetimeSeconds: 100 }, noClient),
    );
    expect(await idsOf(userId)).to.deep.equal([first.sessionId, second.sessionId]);
    const { createdAt, lastUsedAt } = (await listOf(userId)).items[0]!;
    expect(lastUsedAt.getTime() - createdAt.getTime()).to.be.within(19_000, 30_000);
  });

  it('returns the requested page, always with the total', async () => {
    const { id: userId } = await storedAccount(storage());
    for (let index = 0; index < 3; index += 1) await storedSession(storage(), { userId });
    expect(await readInPages((page) => listOf(userId, page))).to.have.lengthOf(3);
  });
}
