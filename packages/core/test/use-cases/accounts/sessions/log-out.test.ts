import {
  type LogOutCredentials,
  RefreshToken,
  refreshTokenInvalid,
  type SessionTokens,
  unauthenticated,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { logOut } from '../../../../src/accounts/sessions/log-out.ts';
import { refreshSession } from '../../../../src/accounts/sessions/refresh-session.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aSession, aUser, noClient } from '../../../support/people.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aWorld, days, everythingIn, type World } from '../../../support/world.ts';

const garbage = { accessToken: 'garbage', refreshToken: RefreshToken.parse('garbage') };
const nothing: LogOutCredentials = { accessToken: undefined, refreshToken: undefined };

const isAlive = async (world: World, { accessToken }: SessionTokens): Promise<boolean> =>
  (await authenticate(world)({ kind: 'access token', token: accessToken }, noClient)).isOk();

const aWorldWithSessions = async () => {
  const world = aWorld();
  await aUser(world);
  return { world, mine: await aSession(world), elsewhere: await aSession(world), leave: logOut(world) };
};

describe('logOut', () => {
  const combinations: readonly (readonly [string, (tokens: SessionTokens) => LogOutCredentials])[] = [
    ['the access token', ({ accessToken }) => ({ ...nothing, accessToken })],
    ['the refresh token', ({ refreshToken }) => ({ ...nothing, refreshToken })],
    ['both', (tokens) => tokens],
    ['the access token and garbage', ({ accessToken }) => ({ ...garbage, accessToken })],
    ['garbage and the refresh token', ({ refreshToken }) => ({ ...garbage, refreshToken })],
  ];
  for (const [what, credentials] of combinations) {
    it(`ends the session by ${what}, and only that one`, async () => {
      const { world, mine, elsewhere, leave } = await aWorldWithSessions();
      expect(await leave(credentials(mine), noClient)).to.deep.equal(ok());
      expect(await isAlive(world, mine)).to.equal(false);
      expect(await refreshSession(world)(mine.refreshToken, noClient)).to.deep.equal(err(refreshTokenInvalid()));
      expect(await isAlive(world, elsewhere)).to.equal(true);
    });

    it(`is idempotent by ${what}`, async () => {
      const { world, mine, elsewhere, leave } = await aWorldWithSessions();
      await valueOf(leave(credentials(mine), noClient));
      expect(await leave(credentials(mine), noClient)).to.deep.equal(ok());
      expect(await isAlive(world, elsewhere)).to.equal(true);
    });

    it(`succeeds by ${what} even if expired`, async () => {
      const { world, mine, leave } = await aWorldWithSessions();
      world.clock.advance(days(91));
      expect(await leave(credentials(mine), noClient)).to.deep.equal(ok());
    });
  }

  const worthless: readonly (readonly [string, LogOutCredentials])[] = [
    ['nothing', nothing],
    ['garbage as access token', { ...nothing, accessToken: 'garbage' }],
    ['garbage as refresh token', { ...nothing, refreshToken: garbage.refreshToken }],
    ['garbage as both', garbage],
  ];
  for (const [what, credentials] of worthless) {
    it(`refuses ${what}, and ends nothing`, async () => {
      const { world, leave } = await aWorldWithSessions();
      const before = everythingIn(world);
      expect(await leave(credentials, noClient)).to.deep.equal(err(unauthenticated()));
      expect(everythingIn(world)).to.deep.equal(before);
    });
  }

  it('accepts an expired access token', async () => {
    const { world, mine } = await aWorldWithSessions();
    const accessTokens = { ...world.accessTokens, verify: () => err(unauthenticated()) };
    const leave = logOut({ ...world, accessTokens });
    expect(await leave({ ...nothing, accessToken: mine.accessToken }, noClient)).to.deep.equal(ok());
    expect(await isAlive(world, mine)).to.equal(false);
  });

  it('accepts a used refresh token, and ends only its own session', async () => {
    const { world, mine, elsewhere, leave } = await aWorldWithSessions();
    const next = await valueOf(refreshSession(world)(mine.refreshToken, noClient));
    expect(await leave({ ...nothing, refreshToken: mine.refreshToken }, noClient)).to.deep.equal(ok());
    expect(await isAlive(world, next)).to.equal(false);
    expect(await isAlive(world, elsewhere)).to.equal(true);
  });

  it('ends two sessions if the tokens belong to two of the same user', async () => {
    const { world, mine, elsewhere, leave } = await aWorldWithSessions();
    expect(
      await leave({ accessToken: mine.accessToken, refreshToken: elsewhere.refreshToken }, noClient),
    ).to.deep.equal(ok());
    expect([await isAlive(world, mine), await isAlive(world, elsewhere)]).to.deep.equal([false, false]);
  });

  it("does not end another user's session by their refresh token", async () => {
    const { world, mine, leave } = await aWorldWithSessions();
    await aUser(world, { email: 'eve@example.org' });
    const eve = await aSession(world, { email: 'eve@example.org' });
    expect(await leave({ accessToken: mine.accessToken, refreshToken: eve.refreshToken }, noClient)).to.deep.equal(
      ok(),
    );
    expect([await isAlive(world, mine), await isAlive(world, eve)]).to.deep.equal([false, true]);
    expect((await refreshSession(world)(eve.refreshToken, noClient)).isOk()).to.equal(true);
  });

  it('records each session it ends, once', async () => {
    const { world, mine, elsewhere, leave } = await aWorldWithSessions();
    const both = { accessToken: mine.accessToken, refreshToken: elsewhere.refreshToken };
    const entries = await entriesDuring(world, () => leave(both, noClient));
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal(
      [...everythingIn(world).sessions.keys()].map((session) => ({ action: 'session.ended', objects: { session } })),
    );
    expect(await entriesDuring(world, () => leave(both, noClient))).to.deep.equal([]);
  });
});
