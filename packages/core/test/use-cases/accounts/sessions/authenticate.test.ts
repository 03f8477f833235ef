import { SessionId, unauthenticated } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { anOrganization, setRole } from '../../../support/organizations.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aSession, aUser, changeUser, noClient } from '../../../support/people.ts';
import { aWorld, days, inTables } from '../../../support/world.ts';

/** Authenticates the caller with an access token. */
const recognizing = (dependencies: Parameters<typeof authenticate>[0]) => (token: string) =>
  authenticate(dependencies)({ kind: 'access token', token }, noClient);

const aWorldWithSession = async () => {
  const world = aWorld();
  const id = await aUser(world);
  const { accessToken } = await aSession(world);
  const [sessionId] = inTables(world, ({ sessions }) => [...sessions.keys()]);
  return { world, id, sessionId: sessionId!, accessToken, recognize: recognizing(world) };
};

describe('authenticate', () => {
  it('authenticates the caller with their current memberships', async () => {
    const { world, id, sessionId, accessToken, recognize } = await aWorldWithSession();
    const [personal] = inTables(world, ({ organizations }) => [...organizations.keys()]);
    const joined = anOrganization(world);
    const foreign = anOrganization(world);
    setRole(world, joined, id, 'viewer');
    expect(foreign).to.not.equal(joined);
    expect(await recognize(accessToken)).to.deep.equal(
      ok({
        userId: id,
        credential: {
          kind: 'session',
          id: sessionId,
          provider: undefined,
          confirmed: true,
          confirmableBy: ['password'],
        },
        memberships: new Map([
          [personal!, { role: 'owner', needsTwoFactor: false }],
          [joined, { role: 'viewer', needsTwoFactor: false }],
        ]),
        client: noClient,
      }),
    );
    setRole(world, joined, id, undefined);
    expect((await valueOf(recognize(accessToken))).memberships).to.deep.equal(
      new Map([[personal!, { role: 'owner', needsTwoFactor: false }]]),
    );
  });

  it('refuses an invalid token', async () => {
    const { recognize } = await aWorldWithSession();
    expect(await recognize('garbage')).to.deep.equal(err(unauthenticated()));
    expect(await recognize('')).to.deep.equal(err(unauthenticated()));
  });

  it('refuses an expired token, even if its session is live', async () => {
    const { world, accessToken } = await aWorldWithSession();
    const accessTokens = { ...world.accessTokens, verify: () => err(unauthenticated()) };
    expect(await recognizing({ ...world, accessTokens })(accessToken)).to.deep.equal(err(unauthenticated()));
  });

  it('refuses a token of an unknown session', async () => {
    const { world, id, recognize } = await aWorldWithSession();
    const sessionId = SessionId.parse('00000000-0000-7000-8000-000000000000');
    const forged = world.accessTokens.issue({ userId: id, sessionId, methods: ['pwd'] });
    expect(await recognize(forged)).to.deep.equal(err(unauthenticated()));
  });

  it("refuses a token that names another user's session", async () => {
    const { world, sessionId, recognize } = await aWorldWithSession();
    const eve = await aUser(world, { email: 'eve@example.org' });
    const forged = world.accessTokens.issue({ userId: eve, sessionId, methods: ['pwd'] });
    expect(await recognize(forged)).to.deep.equal(err(unauthenticated()));
  });

  it('refuses a session that has ended', async () => {
    const { world, id, sessionId, accessToken, recognize } = await aWorldWithSession();
    await valueOf(world.unitOfWork.run(({ sessions }) => sessions.end({ sessionId, userId: id })));
    expect(await recognize(accessToken)).to.deep.equal(err(unauthenticated()));
  });

  it('refuses a session 90 days after sign-in, and not before', async () => {
    const { world, accessToken, recognize } = await aWorldWithSession();
    world.clock.advance(days(90) - 1);
    expect((await recognize(accessToken)).isOk()).to.equal(true);
    world.clock.advance(1);
    expect(await recognize(accessToken)).to.deep.equal(err(unauthenticated()));
  });

  for (const change of [{ active: false }, { emailVerified: false }]) {
    it(`refuses an account with ${JSON.stringify(change)}`, async () => {
      const { world, id, accessToken, recognize } = await aWorldWithSession();
      changeUser(world, id, change);
      expect(await recognize(accessToken)).to.deep.equal(err(unauthenticated()));
    });
  }

  it('refuses a deleted account', async () => {
    const { world, id, accessToken, recognize } = await aWorldWithSession();
    inTables(world, ({ users }) => users.delete(id));
    expect(await recognize(accessToken)).to.deep.equal(err(unauthenticated()));
  });
});
