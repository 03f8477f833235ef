import type { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { block, justSignedIn, storedAccount, storedSession, storedUnverified } from '../../arrangements/index.ts';
import { aSession, aTokenHash, aUserId, noClient, wholeList } from '../../builders/index.ts';
import { hold } from '../../gate.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { callerOf, isRefused, lives } from './authentication.ts';

/** Who gets a session, and what may have changed since the check of the credentials. */
export function opening(storage: () => Storage): void {
  const open = (session: ReturnType<typeof aSession>) =>
    storage().unitOfWork.run(({ sessions }) => sessions.open(session));

  it('opens a session that authenticates its user', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = aSession({ userId, userAgent: undefined });
    await okOf(open(session));
    expect(await okOf(callerOf(storage(), { userId, sessionId: session.id }))).to.deep.equal({
      userId,
      credential: { kind: 'session', id: session.id, ...justSignedIn },
      memberships: new Map(),
    });
  });

  it('opens no session if the credentials have changed since the check', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = aSession({ userId });
    await storage().changeCredentials(userId);
    expect(await errorOf(open(session))).to.deep.equal({ type: 'InvalidCredentials' });
    await isRefused(storage(), { userId, sessionId: session.id });
  });

  it('opens no session for an account that does not exist', async () => {
    expect(await errorOf(open(aSession({ userId: aUserId() })))).to.deep.equal({ type: 'InvalidCredentials' });
  });

  it('opens no session if the account was blocked since the check', async () => {
    const { id: userId } = await storedAccount(storage());
    await block(storage(), userId);
    expect(await errorOf(open(aSession({ userId })))).to.deep.equal({ type: 'InvalidCredentials' });
  });

  it('opens no session for an account with an unverified address', async () => {
    const account = await storedUnverified(storage());
    expect(await errorOf(open(aSession({ userId: account.id })))).to.deep.equal({ type: 'InvalidCredentials' });
  });

  it('makes a change of the credentials wait for the session', async () => {
    const { id: userId } = await storedAccount(storage());
    const held = await hold(storage(), ({ sessions }) => sessions.open(aSession({ userId })));
    const change = storage().changeCredentials(userId);
    await held.endBefore(change);
    await change;
  });
}

/** Which session ends when a user opens one too many. */
export function openingAtTheLimit(storage: () => Storage): void {
  const maxLive = 5;
  const totalOf = async (userId: UserId) =>
    (await readView(storage(), ({ sessions }) => sessions.list(userId, wholeList))).totalItems;

  /** A user with `count` live sessions, the first one used first. */
  async function userWith(count: number) {
    const { id: userId } = await storedAccount(storage());
    const opened = [];
    for (let index = 0; index < count; index += 1) {
      opened.push(await storedSession(storage(), { userId }));
      await storage().passTime(1);
    }
    return { userId, opened };
  }
  const open = (userId: UserId) =>
    storage().unitOfWork.run(({ sessions }) => sessions.open(aSession({ userId, maxLive })));

  it('ends the least recently used session, whose refresh token is then dead but not reused', async () => {
    const { userId, opened } = await userWith(maxLive);
    const [first, second, ...others] = [opened[0]!, opened[1]!, ...opened.slice(2)];
    const successor = { hash: aTokenHash(), lifetimeSeconds: 100 };
    await runUnit(storage(), ({ refreshTokens }) => refreshTokens.rotate(first.token, successor, noClient));
    expect(await okOf(open(userId))).to.deep.equal([second.sessionId]);
    await isRefused(storage(), second);
    for (const each of [first, ...others]) expect(await lives(storage(), each)).to.equal(true);
    const presented = await runUnit(storage(), ({ refreshTokens }) => refreshTokens.present(second.token));
    expect(presented).to.deep.equal({ state: 'dead' });
    expect(await totalOf(userId)).to.equal(maxLive);
  });

  it('does not count ended or expired sessions, or those of others', async () => {
    const { userId, opened } = await userWith(maxLive - 1);
    const { id: other } = await storedAccount(storage());
    await storedSession(storage(), { userId: other });
    await storedSession(storage(), { userId, lifetimeSeconds: 10 });
    await storage().passTime(10);
    const ended = await storedSession(storage(), { userId });
    await runUnit(storage(), ({ sessions }) => sessions.end(ended));
    expect(await okOf(open(userId))).to.deep.equal([]);
    for (const each of opened) expect(await lives(storage(), each)).to.equal(true);
  });

  it('makes a second sign-in wait for the first', async () => {
    const { userId } = await userWith(maxLive);
    const held = await hold(storage(), ({ sessions }) => sessions.open(aSession({ userId, maxLive })));
    const second = open(userId);
    await held.endBefore(second);
    await okOf(second);
    expect(await totalOf(userId)).to.equal(maxLive);
  });

  it('leaves exactly the allowed number when twenty are opened concurrently', async () => {
    for (const _ of rounds) {
      const { userId } = await userWith(maxLive);
      await concurrently(raceSize, () => okOf(open(userId)));
      expect(await totalOf(userId)).to.equal(maxLive);
    }
  });
}
