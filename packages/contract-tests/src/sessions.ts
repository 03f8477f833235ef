import { type AccessClaims, confirmationSeconds, Login, type UserId, useCases } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import {
  block,
  enforceTwoFactor,
  justSignedIn,
  storedAccount,
  storedOwner,
  storedSecondFactor,
  storedSession,
  storedUnverified,
} from './arrangements.ts';
import { aChallenge, aSession, aSessionId, aTokenHash, aTotpSecret, aUserId, noClient, wholeList } from './builders.ts';
import { casesOn, fakePorts } from './fakes.ts';
import { contract } from './fresh-storage.ts';
import { hold } from './gate.ts';
import { readInPages } from './pages.ts';
import { expectOneWinner } from './races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit } from './results.ts';
import type { Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export const sessionsContract = contract('Sessions contract', (storage) => {
  describe('open', () => opening(storage));
  describe('open at the limit', () => openingAtTheLimit(storage));
  describe('caller', () => recognition(storage));
  describe('confirm', () => confirmation(storage));
  describe('list', () => lists(storage));
  describe('end', () => ending(storage));
  describe('endLive', () => endingLive(storage));
  describe('endAllOf', () => endingAll(storage));
  describe('endAllOf with an exception', () => endingOthers(storage));
  describe('logIn', () => signingIn(storage));
});

const callerOf = (storage: Storage, { userId, sessionId }: AccessClaims) =>
  storage.unitOfWork.session({ kind: 'session', userId, sessionId }).caller();

const lives = async (storage: Storage, claims: AccessClaims): Promise<boolean> =>
  (await callerOf(storage, claims)).isOk();

const isRefused = async (storage: Storage, claims: AccessClaims) => {
  expect(await errorOf(callerOf(storage, claims))).to.deep.equal({ type: 'Unauthenticated' });
};

function opening(storage: () => Storage): void {
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

function openingAtTheLimit(storage: () => Storage): void {
  const maxLive = 5;
  const totalOf = async (userId: UserId) =>
    (await readView(storage(), ({ sessions }) => sessions.list(userId, wholeList))).totalItems;

  /** A user with so many live sessions, the first one used first. */
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

function recognition(storage: () => Storage): void {
  it('returns the current memberships', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const session = await storedSession(storage(), { userId: own.userId });
    await storage().setRole(other.organizationId, own.userId, 'viewer');
    const rolesNow = async () =>
      [...(await okOf(callerOf(storage(), session))).memberships].map(([id, { role }]) => [id, role]);
    expect(await rolesNow()).to.deep.equal([
      [own.organizationId, 'owner'],
      [other.organizationId, 'viewer'],
    ]);
    await storage().setRole(other.organizationId, own.userId, 'editor');
    await storage().setRole(own.organizationId, own.userId, undefined);
    expect(await rolesNow()).to.deep.equal([[other.organizationId, 'editor']]);
  });

  it('reports which organization requires a second factor that the user lacks', async () => {
    const { organizationId, userId } = await storedOwner(storage());
    const session = await storedSession(storage(), { userId });
    const membership = async () => (await okOf(callerOf(storage(), session))).memberships.get(organizationId);
    await enforceTwoFactor(storage(), organizationId);
    expect(await membership()).to.deep.equal({ role: 'owner', needsTwoFactor: true });
    await storedSecondFactor(storage(), userId);
    expect(await membership()).to.deep.equal({ role: 'owner', needsTwoFactor: false });
  });

  it('refuses a session that was never opened', async () => {
    const { id: userId } = await storedAccount(storage());
    await isRefused(storage(), { userId, sessionId: aSessionId() });
  });

  it('refuses a session of another user', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const { sessionId } = await storedSession(storage(), { userId: ada.id });
    await isRefused(storage(), { userId: grace.id, sessionId });
  });

  it('authenticates the caller until the session expires', async () => {
    const session = await storedSession(storage(), { lifetimeSeconds: 1000 });
    await storage().passTime(900);
    expect(await lives(storage(), session)).to.equal(true);
    await storage().passTime(100);
    await isRefused(storage(), session);
  });

  it('refuses the sessions of a blocked account', async () => {
    const session = await storedSession(storage());
    await block(storage(), session.userId);
    await isRefused(storage(), session);
  });

  it('is queried at every authentication', async () => {
    const session = await storedSession(storage());
    const accessTokens = { ...fakePorts.accessTokens, verify: () => ok(session) };
    const recognize = () =>
      useCases({ unitOfWork: storage().unitOfWork, ...fakePorts, accessTokens }).authenticate(
        { kind: 'access token', token: 'a token' },
        noClient,
      );
    expect((await recognize()).isOk()).to.equal(true);
    await runUnit(storage(), ({ sessions }) => sessions.end(session));
    expect(await errorOf(recognize())).to.deep.equal({ type: 'Unauthenticated' });
  });
}

function confirmation(storage: () => Storage): void {
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

function lists(storage: () => Storage): void {
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

function endingLive(storage: () => Storage): void {
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

  it('lets exactly one of twenty concurrent calls succeed', async () => {
    for (const _ of rounds) {
      const session = await storedSession(storage());
      await expectOneWinner('SessionNotFound', () => endLive(session));
    }
  });
}

function endingOthers(storage: () => Storage): void {
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

function ending(storage: () => Storage): void {
  const end = ({ userId, sessionId }: AccessClaims) =>
    runUnit(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));

  it('ends only that session', async () => {
    const { id: userId } = await storedAccount(storage());
    const [first, second] = [await storedSession(storage(), { userId }), await storedSession(storage(), { userId })];
    await end(first);
    await isRefused(storage(), first);
    expect(await lives(storage(), second)).to.equal(true);
  });

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

  it('invalidates the refresh token of the session', async () => {
    const session = await storedSession(storage());
    await end(session);
    expect(await storage().liveRefreshTokens(session.userId)).to.equal(0);
  });
}

function endingAll(storage: () => Storage): void {
  const endAll = (userId: UserId) => runUnit(storage(), ({ sessions }) => sessions.endAllOf(userId));

  it('ends exactly the sessions of the user', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const first = await storedSession(storage(), { userId: ada.id });
    const second = await storedSession(storage(), { userId: ada.id });
    const other = await storedSession(storage(), { userId: grace.id });
    await endAll(ada.id);
    await isRefused(storage(), first);
    await isRefused(storage(), second);
    expect(await lives(storage(), other)).to.equal(true);
  });

  it('succeeds when there is none', async () => {
    await endAll((await storedAccount(storage())).id);
  });

  it('does not stop the user from signing in again', async () => {
    const { id: userId } = await storedAccount(storage());
    await endAll(userId);
    const { sessionId } = await storedSession(storage(), { userId });
    expect(await okOf(callerOf(storage(), { userId, sessionId }))).to.include({ userId });
  });
}

function signingIn(storage: () => Storage): void {
  it('issues a challenge for the right password if two-factor authentication is enabled before the session is opened', async () => {
    const { id: user, email } = await storedAccount(storage());
    const held = await hold(storage(), ({ accounts }) => accounts.lock(user));
    const login = Login.parse({ email, password: 'Secret123' });
    const signedIn = casesOn(storage()).logIn(login, noClient);
    await okOf(
      held.endBefore(signedIn, ({ credentials, twoFactors }) =>
        twoFactors
          .begin({ user, secret: aTotpSecret(), lifetimeSeconds: 900 })
          .andThen(() => twoFactors.enable(user, { confirmed: true }))
          .andThen(() => credentials.renew(user)),
      ),
    );
    expect((await okOf(signedIn)).outcome).to.equal('challenge');
  });
}
