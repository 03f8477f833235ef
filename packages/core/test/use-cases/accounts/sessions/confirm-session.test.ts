import {
  confirmationSeconds,
  type SessionCaller,
  SessionProof,
  type SessionTokens,
  type UserId,
  VerificationCode,
} from '@zonewright/core';
import { expect } from 'chai';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { completeTwoFactor } from '../../../../src/accounts/sign-in/complete-two-factor.ts';
import { confirmSession } from '../../../../src/accounts/sign-in/confirm-session.ts';
import { beginSetup, confirmSetup } from '../../../../src/accounts/two-factor/set-up.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aSession, aUser, changeUser, noClient, password } from '../../../support/people.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aChallenge, aWorldWithSecondFactor, codeOf, stepSeconds } from '../../../support/two-factor.ts';
import { aWorld, type World } from '../../../support/world.ts';

/** The caller that storage recognizes by the session. */
const recognized = async (world: World, { accessToken }: SessionTokens): Promise<SessionCaller> => {
  const caller = await valueOf(authenticate(world)({ kind: 'access token', token: accessToken }, noClient));
  if (caller.credential.kind !== 'session') throw new Error('An access token belongs to a session.');
  return { ...caller, credential: caller.credential };
};

/** A user whose sign-in was too long ago. */
async function aWorldWithStaleSession() {
  const world = aWorld();
  const id = await aUser(world);
  const tokens = await aSession(world);
  world.clock.advance(confirmationSeconds);
  return { world, id, caller: () => recognized(world, tokens) };
}

const proof = (given: Readonly<Record<string, string>>): SessionProof => SessionProof.parse(given);

describe('confirmSession', () => {
  it('confirms by the password', async () => {
    const { world, caller } = await aWorldWithStaleSession();
    expect((await caller()).credential.confirmed).to.equal(false);
    await valueOf(confirmSession(world)(await caller(), proof({ password })));
    expect((await caller()).credential.confirmed).to.equal(true);
  });

  it('refuses a wrong password and records that', async () => {
    const { world, caller } = await aWorldWithStaleSession();
    const thief = await caller();
    const entries = await entriesDuring(world, async () => {
      const refusal = await refusalOf(confirmSession(world)(thief, proof({ password: 'Wrong-1' })));
      expect(refusal).to.deep.equal(['InvalidCredentials']);
    });
    expect(entries.map(({ action }) => action)).to.deep.equal(['session.confirmationFailed']);
    expect((await caller()).credential.confirmed).to.equal(false);
  });

  it('confirms by a code, which works once', async () => {
    const { world, secret } = await aWorldWithSecondFactor();
    const challengeToken = await aChallenge(world);
    const tokens = await valueOf(completeTwoFactor(world)({ challengeToken, code: codeOf(world, secret) }, noClient));
    world.clock.advance(confirmationSeconds);
    const code = codeOf(world, secret);
    await valueOf(confirmSession(world)(await recognized(world, tokens), { code }));
    expect((await recognized(world, tokens)).credential.confirmed).to.equal(true);
    const again = confirmSession(world)(await recognized(world, tokens), { code });
    expect(await refusalOf(again)).to.deep.equal(['InvalidVerificationCode']);
  });

  it('confirms by a recovery code', async () => {
    const { world, secret, recoveryCodes } = await aWorldWithSecondFactor();
    const challengeToken = await aChallenge(world);
    const answer = { challengeToken, code: codeOf(world, secret) };
    const tokens = await valueOf(completeTwoFactor(world)(answer, noClient));
    world.clock.advance(confirmationSeconds);
    const code = VerificationCode.parse(recoveryCodes[0]);
    await valueOf(confirmSession(world)(await recognized(world, tokens), { code }));
    expect((await recognized(world, tokens)).credential.confirmed).to.equal(true);
  });

  it('refuses codes of a factor that a stale session set up for itself', async () => {
    const { world, caller } = await aWorldWithStaleSession();
    const { secret } = await valueOf(beginSetup(world)(await caller()));
    await valueOf(confirmSetup(world)(await caller(), codeOf(world, secret)));
    world.clock.advance(stepSeconds);
    const thief = await caller();
    expect(thief.credential.confirmableBy).to.deep.equal(['password']);
    const refusal = await refusalOf(confirmSession(world)(thief, { code: codeOf(world, secret) }));
    expect(refusal).to.deep.equal(['InvalidVerificationCode']);
    expect((await caller()).credential.confirmed).to.equal(false);
  });

  it('lets an account without a factor confirm by its provider only', async () => {
    const { world, id, caller } = await aWorldWithStaleSession();
    withoutPassword(world, id);
    expect((await caller()).credential.confirmableBy).to.deep.equal(['provider']);
    const refusal = await refusalOf(confirmSession(world)(await caller(), proof({ password })));
    expect(refusal).to.deep.equal(['InvalidCredentials']);
  });
});

const withoutPassword = (world: World, id: UserId) => changeUser(world, id, { passwordHash: undefined });
