import { unauthenticated } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { anOrganization, setRole } from '../../../support/organizations.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aSession, aUser, noClient } from '../../../support/people.ts';
import { aWorld, inTables } from '../../../support/world.ts';

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
});
