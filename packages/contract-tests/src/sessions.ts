import { type AccessClaims, authenticate, type UserId } from '@zonewright/core';
import { expect } from 'chai';
import { ok, okAsync } from 'neverthrow';
import { storedAccount, storedOwner, storedSession } from './arrangements.ts';
import { anAccount, aSession, aSessionId, aUserId } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { hold, waits } from './gate.ts';
import { done, errorOf, okOf, seen } from './results.ts';
import { standIns } from './stand-ins.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function sessionsContract(adapter: string, open: OpenStorage): void {
  describe(`Sessions contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    describe('open', () => opening(storage));
    describe('caller', () => recognition(storage));
    describe('end', () => ending(storage));
    describe('endAllOf', () => endingAll(storage));
  });
}

const callerOf = (storage: Storage, { userId, sessionId }: AccessClaims) =>
  storage.unitOfWork.view(({ sessions }) => sessions.caller({ userId, sessionId }));

const lives = async (storage: Storage, claims: AccessClaims): Promise<boolean> =>
  (await callerOf(storage, claims)).isOk();

const isRefused = async (storage: Storage, claims: AccessClaims) => {
  expect(await errorOf(callerOf(storage, claims))).to.deep.equal({ type: 'Unauthenticated' });
};

function opening(storage: () => Storage): void {
  const open = (session: ReturnType<typeof aSession>) =>
    storage().unitOfWork.run(({ sessions }) => sessions.open(session));

  it('opens a session that recognizes its user', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = aSession({ userId, userAgent: undefined });
    await okOf(open(session));
    expect(await okOf(callerOf(storage(), { userId, sessionId: session.id }))).to.deep.equal({
      userId,
      sessionId: session.id,
      memberships: new Map(),
    });
  });

  it('opens no session when the credentials changed since they were checked', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = aSession({ userId });
    await storage().changeCredentials(userId);
    expect(await errorOf(open(session))).to.deep.equal({ type: 'InvalidCredentials' });
    await isRefused(storage(), { userId, sessionId: session.id });
  });

  it('opens no session of an account that is not there', async () => {
    expect(await errorOf(open(aSession({ userId: aUserId() })))).to.deep.equal({ type: 'InvalidCredentials' });
  });

  it('opens no session when the account was blocked since it was checked', async () => {
    const { id: userId } = await storedAccount(storage());
    await storage().blockAccount(userId);
    expect(await errorOf(open(aSession({ userId })))).to.deep.equal({ type: 'InvalidCredentials' });
  });

  it('opens no session of an account whose address is not verified', async () => {
    const account = anAccount();
    await done(storage(), ({ accounts }) => accounts.add(account));
    expect(await errorOf(open(aSession({ userId: account.id })))).to.deep.equal({ type: 'InvalidCredentials' });
  });

  it('makes a change of the credentials wait until the session is there to be ended', async () => {
    const { id: userId } = await storedAccount(storage());
    const held = await hold(
      storage(),
      ({ sessions }) => sessions.open(aSession({ userId })),
      () => okAsync(),
    );
    const change = storage().changeCredentials(userId);
    expect(await waits(storage(), change)).to.equal(true);
    await held.release();
    await change;
  });
}

function recognition(storage: () => Storage): void {
  it('gives the memberships as they are at this moment', async () => {
    const [own, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const session = await storedSession(storage(), { userId: own.userId });
    await storage().setRole(other.organizationId, own.userId, 'viewer');
    const rolesNow = async () => [...(await okOf(callerOf(storage(), session))).memberships];
    expect(await rolesNow()).to.deep.equal([
      [own.organizationId, 'owner'],
      [other.organizationId, 'viewer'],
    ]);
    await storage().setRole(other.organizationId, own.userId, 'editor');
    await storage().setRole(own.organizationId, own.userId, undefined);
    expect(await rolesNow()).to.deep.equal([[other.organizationId, 'editor']]);
  });

  it('refuses a session that was never opened', async () => {
    const { id: userId } = await storedAccount(storage());
    await isRefused(storage(), { userId, sessionId: aSessionId() });
  });

  it('refuses a session of somebody else', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const { sessionId } = await storedSession(storage(), { userId: ada.id });
    await isRefused(storage(), { userId: grace.id, sessionId });
  });

  it('recognizes the caller until the lifetime of the session is over', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = await storedSession(storage(), { userId, lifetimeSeconds: 1000 });
    await storage().passTime(900);
    expect(await lives(storage(), session)).to.equal(true);
    await storage().passTime(100);
    await isRefused(storage(), session);
  });

  it('refuses the sessions of a blocked account', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = await storedSession(storage(), { userId });
    await storage().blockAccount(userId);
    await isRefused(storage(), session);
  });

  it('is asked at every authentication', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = await storedSession(storage(), { userId });
    const accessTokens = { ...standIns.accessTokens, verify: () => ok(session) };
    const recognize = () => authenticate({ unitOfWork: storage().unitOfWork, accessTokens })('a token');
    expect((await recognize()).isOk()).to.equal(true);
    await done(storage(), ({ sessions }) => sessions.end(session));
    expect(await errorOf(recognize())).to.deep.equal({ type: 'Unauthenticated' });
  });
}

function ending(storage: () => Storage): void {
  const end = ({ userId, sessionId }: AccessClaims) =>
    done(storage(), ({ sessions }) => sessions.end({ userId, sessionId }));

  it('ends that session and no other', async () => {
    const { id: userId } = await storedAccount(storage());
    const [first, second] = [await storedSession(storage(), { userId }), await storedSession(storage(), { userId })];
    await end(first);
    await isRefused(storage(), first);
    expect(await lives(storage(), second)).to.equal(true);
  });

  it('succeeds when the session has ended already, and when there is none', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = await storedSession(storage(), { userId });
    await end(session);
    await end(session);
    await end({ userId, sessionId: aSessionId() });
  });

  it('succeeds, and ends nothing, when the session is somebody else’s', async () => {
    const [ada, grace] = [await storedAccount(storage()), await storedAccount(storage())];
    const session = await storedSession(storage(), { userId: ada.id });
    await end({ userId: grace.id, sessionId: session.sessionId });
    expect(await lives(storage(), session)).to.equal(true);
  });

  it('kills the refresh token of the session', async () => {
    const { id: userId } = await storedAccount(storage());
    const session = await storedSession(storage(), { userId });
    await end(session);
    expect(await storage().liveRefreshTokens(userId)).to.equal(0);
  });
}

function endingAll(storage: () => Storage): void {
  const endAll = (userId: UserId) => done(storage(), ({ sessions }) => sessions.endAllOf(userId));

  it('ends every session of the user and of nobody else', async () => {
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
    expect(await seen(storage(), ({ sessions }) => sessions.caller({ userId, sessionId }))).to.include({ userId });
  });
}
