import {
  accountInactive,
  RefreshToken,
  refreshTokenInvalid,
  refreshTokenReused,
  type SessionTokens,
  unauthenticated,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { refreshSession } from '../../../../src/accounts/sessions/refresh-session.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aSession, aUser, changeUser, noClient } from '../../../support/people.ts';
import { aWorld, days, everythingIn, type World } from '../../../support/world.ts';

const aWorldWithSession = async () => {
  const world = aWorld();
  const id = await aUser(world);
  return { world, id, first: await aSession(world), refresh: refreshSession(world) };
};

const isAlive = async (world: World, { accessToken }: SessionTokens): Promise<boolean> =>
  (await authenticate(world)({ kind: 'access token', token: accessToken }, noClient)).isOk();

const liveSessions = (world: World) => [...everythingIn(world).sessions.values()].filter(({ ended }) => !ended);

describe('refreshSession', () => {
  it('exchanges the token for a new pair of the same session', async () => {
    const { world, id, first, refresh } = await aWorldWithSession();
    const second = await valueOf(refresh(first.refreshToken, noClient));
    expect(second.refreshToken).not.to.equal(first.refreshToken);
    const [session] = liveSessions(world);
    expect(
      await authenticate(world)({ kind: 'access token', token: second.accessToken }, noClient).map(
        ({ userId, credential }) => ({ userId, credential }),
      ),
    ).to.deep.equal(
      ok({
        userId: id,
        credential: {
          kind: 'session',
          id: session?.id,
          provider: undefined,
          confirmed: true,
          confirmableBy: ['password'],
        },
      }),
    );
    expect(liveSessions(world)).to.have.length(1);
  });

  it('keeps earlier access tokens valid as long as the session is live', async () => {
    const { world, first, refresh } = await aWorldWithSession();
    await valueOf(refresh(first.refreshToken, noClient));
    expect(await isAlive(world, first)).to.equal(true);
  });

  it('refuses a token that was never issued, and ends nothing', async () => {
    const { world, first, refresh } = await aWorldWithSession();
    expect(await refresh(RefreshToken.parse('guessed'), noClient)).to.deep.equal(err(refreshTokenInvalid()));
    expect(await isAlive(world, first)).to.equal(true);
  });

  describe('with a token that was used before', () => {
    it('ends all sessions of the user, although the call is refused', async () => {
      const { world, first, refresh } = await aWorldWithSession();
      const elsewhere = await aSession(world);
      const second = await valueOf(refresh(first.refreshToken, noClient));
      expect(await refresh(first.refreshToken, noClient)).to.deep.equal(err(refreshTokenReused()));
      for (const tokens of [first, second, elsewhere]) {
        expect(await authenticate(world)({ kind: 'access token', token: tokens.accessToken }, noClient)).to.deep.equal(
          err(unauthenticated()),
        );
      }
      expect(await refresh(second.refreshToken, noClient)).to.deep.equal(err(refreshTokenInvalid()));
      expect(await refresh(elsewhere.refreshToken, noClient)).to.deep.equal(err(refreshTokenInvalid()));
    });

    it('detects it for an inactive account, too', async () => {
      const { world, id, first, refresh } = await aWorldWithSession();
      await valueOf(refresh(first.refreshToken, noClient));
      changeUser(world, id, { active: false });
      expect(await refresh(first.refreshToken, noClient)).to.deep.equal(err(refreshTokenReused()));
      expect(liveSessions(world)).to.deep.equal([]);
    });
  });

  for (const [what, change] of [
    ['switched off', { active: false }],
    ['no longer verified', { emailVerified: false }],
  ] as const) {
    it(`refuses an account that is ${what} without using up the token`, async () => {
      const { world, id, first, refresh } = await aWorldWithSession();
      changeUser(world, id, change);
      expect(await refresh(first.refreshToken, noClient)).to.deep.equal(err(accountInactive()));
      expect(await refresh(first.refreshToken, noClient)).to.deep.equal(err(accountInactive()));
      changeUser(world, id, { active: true, emailVerified: true });
      expect((await refresh(first.refreshToken, noClient)).isOk()).to.equal(true);
    });
  }

  it('stops 90 days after the sign-in, however often the token was rotated', async () => {
    const { world, first, refresh } = await aWorldWithSession();
    let latest = first;
    for (const wait of [days(29), days(29), days(29)]) {
      world.clock.advance(wait);
      latest = await valueOf(refresh(latest.refreshToken, noClient));
    }
    world.clock.advance(days(3) - 1);
    latest = await valueOf(refresh(latest.refreshToken, noClient));
    world.clock.advance(1);
    expect(await refresh(latest.refreshToken, noClient)).to.deep.equal(err(refreshTokenInvalid()));
    expect(await isAlive(world, latest)).to.equal(false);
  });
});
