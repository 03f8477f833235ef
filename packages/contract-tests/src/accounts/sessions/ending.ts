import type { AccessClaims } from '@zonewright/core';
import { expect } from 'chai';
import { storedAccount, storedSession } from '../../arrangements/index.ts';
import { aChallenge, aSessionId } from '../../builders/index.ts';
import { happensOnce } from '../../races.ts';
import { errorOf, okOf, runUnit } from '../../results.ts';
import type { Storage } from '../../storage.ts';
import { isRefused, lives } from './authentication.ts';

/** The end of a session that must still live. */
export function endingLive(storage: () => Storage): void {
  const endLive = ({ userId, sessionId }: AccessClaims) =>
    storage().unitOfWork.run(({ sessions }) => sessions.endLive({ userId, sessionId }));
  const isMissing = async (claims: AccessClaims) => {
    expect(await errorOf(endLive(claims))).to.deep.equal({ type: 'SessionNotFound' });
  };

  it('ends only that session', async () => {
    const { id: userId } = await storedAccount(storage());
    const [first, second] = [await storedSession(storage(), { userId }), await storedSession(storage(), { userId })];
    await okOf(endLive(first));
    await isRefused(storage(), first);
    expect(await lives(storage(), second)).to.equal(true);
    expect(await storage().liveRefreshTokens(userId)).to.equal(1);
  });

  it('finds no session that is unknown, ended, expired or someone else’s', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const session = await storedSession(storage(), { userId: ada.id, lifetimeSeconds: 100 });
    await isMissing({ userId: ada.id, sessionId: aSessionId() });
    await isMissing({ userId: grace.id, sessionId: session.sessionId });
    expect(await lives(storage(), session)).to.equal(true);
    await storage().passTime(100);
    await isMissing(session);
    const ended = await storedSession(storage(), { userId: ada.id });
    await okOf(endLive(ended));
    await isMissing(ended);
  });

  happensOnce(storage, {
    arrange: () => storedSession(storage()),
    call: ({ sessions }, { userId, sessionId }) => sessions.endLive({ userId, sessionId }),
    loser: 'SessionNotFound',
  });
}

/** The end of all sessions of a user but one. */
export function endingOthers(storage: () => Storage): void {
  it('ends exactly the other sessions of the user', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const [own, other, third] = [
      await storedSession(storage(), { userId: ada.id }),
      await storedSession(storage(), { userId: ada.id }),
      await storedSession(storage(), { userId: grace.id }),
    ];
    await runUnit(storage(), ({ sessions }) => sessions.endAllOf(ada.id, own.sessionId));
    expect(await lives(storage(), own)).to.equal(true);
    await isRefused(storage(), other);
    expect(await lives(storage(), third)).to.equal(true);
  });

  for (const [what, excepted] of [
    ['invalidates the pending challenges of the user without an exception', false],
    ['keeps the pending challenges of the user with an exception', true],
  ] as const) {
    it(what, async () => {
      const { userId, sessionId } = await storedSession(storage());
      const [challenge, other] = [aChallenge({ userId }), aChallenge({ userId: (await storedAccount(storage())).id })];
      await runUnit(storage(), ({ challenges }) => challenges.issue(challenge).andThen(() => challenges.issue(other)));
      await runUnit(storage(), ({ sessions }) => sessions.endAllOf(userId, excepted ? sessionId : undefined));
      const counted = await Promise.all(
        [challenge, other].map(({ hash }) =>
          storage().unitOfWork.run(({ challenges }) => challenges.countAttempt(hash, 5)),
        ),
      );
      expect(counted.map((result) => result.isOk())).to.deep.equal([excepted, true]);
    });
  }
}

/** The end of a session, whether it lives or not. */
export function ending(storage: () => Storage): void {
  const end = ({ userId, sessionId }: AccessClaims) =>
    runUnit(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));

  it('reports whether the session had not ended before', async () => {
    const session = await storedSession(storage());
    expect(await end(session)).to.equal(true);
    expect(await end(session)).to.equal(false);
    expect(await end({ userId: session.userId, sessionId: aSessionId() })).to.equal(false);
  });

  it('succeeds, and ends nothing, when the session is someone else’s', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const session = await storedSession(storage(), { userId: ada.id });
    expect(await end({ userId: grace.id, sessionId: session.sessionId })).to.equal(false);
    expect(await lives(storage(), session)).to.equal(true);
  });
}

/** The end of all sessions of a user. */
export function endingAll(storage: () => Storage): void {
  it('ends exactly the sessions of the user, who can sign in again', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const endAll = () => runUnit(storage(), ({ sessions }) => sessions.endAllOf(ada.id));
    await endAll();
    const [first, second] = [
      await storedSession(storage(), { userId: ada.id }),
      await storedSession(storage(), { userId: ada.id }),
    ];
    const other = await storedSession(storage(), { userId: grace.id });
    await endAll();
    await isRefused(storage(), first);
    await isRefused(storage(), second);
    expect(await storage().liveRefreshTokens(ada.id)).to.equal(0);
    expect(await lives(storage(), other)).to.equal(true);
    expect(await lives(storage(), await storedSession(storage(), { userId: ada.id }))).to.equal(true);
  });
}
