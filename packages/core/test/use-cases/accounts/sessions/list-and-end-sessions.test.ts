import { refreshTokenInvalid, type SessionCaller, type SessionTokens } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { endOtherSessions, endSession, listSessions } from '../../../../src/accounts/sessions/own-sessions.ts';
import { refreshSession } from '../../../../src/accounts/sessions/refresh-session.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aSession, aUser, noClient } from '../../../support/people.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aWorld, days, type World } from '../../../support/world.ts';

const page = { page: 1, itemsPerPage: 100 };

const recognized = async (world: World, { accessToken: token }: SessionTokens): Promise<SessionCaller> =>
  (await valueOf(authenticate(world)({ kind: 'access token', token }, noClient))) as SessionCaller;

const aWorldWithSessions = async () => {
  const world = aWorld();
  const id = await aUser(world);
  const mine = await aSession(world);
  world.clock.advance(60);
  const elsewhere = await aSession(world);
  const [caller, other] = [await recognized(world, mine), await recognized(world, elsewhere)];
  return { world, id, mine, elsewhere, caller, other };
};

describe('listSessions', () => {
  it('shows when a session was opened and used, and when it will end', async () => {
    const { world, mine, caller } = await aWorldWithSessions();
    const opened = world.clock.now().getTime() - 60_000;
    world.clock.advance(60);
    await valueOf(refreshSession(world)(mine.refreshToken, noClient));
    const { items, totalItems } = await valueOf(listSessions(world)(caller, page));
    expect(totalItems).to.equal(2);
    expect(items[0]).to.deep.equal({
      id: caller.credential.id,
      createdAt: new Date(opened),
      lastUsedAt: world.clock.now(),
      expiresAt: new Date(opened + days(90) * 1000),
      userAgent: undefined,
      twoFactor: false,
    });
  });
});

describe('endSession', () => {
  it('ends exactly one of the caller’s sessions, immediately', async () => {
    const { world, elsewhere, caller, other } = await aWorldWithSessions();
    expect(await endSession(world)(caller, other.credential.id)).to.deep.equal(ok());
    const gone = await authenticate(world)({ kind: 'access token', token: elsewhere.accessToken }, noClient);
    expect(gone.isErr()).to.equal(true);
    const refreshed = await refreshSession(world)(elsewhere.refreshToken, noClient);
    expect(refreshed).to.deep.equal(err(refreshTokenInvalid()));
    expect((await valueOf(listSessions(world)(caller, page))).items.map(({ id }) => id)).to.deep.equal([
      caller.credential.id,
    ]);
  });

  it('records which session ended which', async () => {
    const { world, caller, other } = await aWorldWithSessions();
    const entries = await entriesDuring(world, () => endSession(world)(caller, other.credential.id));
    expect(entries.map(({ action, credential, objects }) => ({ action, credential, objects }))).to.deep.equal([
      { action: 'session.ended', credential: caller.credential.id, objects: { session: other.credential.id } },
    ]);
  });
});

describe('endOtherSessions', () => {
  it('ends every other session of the caller, and records which one did', async () => {
    const { world, elsewhere, caller } = await aWorldWithSessions();
    const entries = await entriesDuring(world, () => endOtherSessions(world)(caller));
    expect(await refreshSession(world)(elsewhere.refreshToken, noClient)).to.deep.equal(err(refreshTokenInvalid()));
    expect((await valueOf(listSessions(world)(caller, page))).items.map(({ id }) => id)).to.deep.equal([
      caller.credential.id,
    ]);
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'account.sessionsEnded', objects: { except: caller.credential.id } },
    ]);
  });
});
