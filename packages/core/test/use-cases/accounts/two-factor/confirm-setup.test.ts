import { invalidVerificationCode, recoveryCodeCount, twoFactorNotPending } from '@zonewright/core';
import { expect } from 'chai';
import { err } from 'neverthrow';
import { readProfile } from '../../../../src/accounts/accounts/read-accounts.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { completeTwoFactor } from '../../../../src/accounts/sign-in/complete-two-factor.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { beginSetup, confirmSetup } from '../../../../src/accounts/two-factor/set-up.ts';
import { callerOf } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aLogin, aSession, aUser, email, noClient } from '../../../support/people.ts';
import { entriesDuring, noticesIn } from '../../../support/traces.ts';
import {
  aChallenge,
  aWorldWithCaller,
  aWorldWithSecondFactor,
  codeOf,
  stepSeconds,
  typed,
} from '../../../support/two-factor.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';

const aPendingSetup = async () => {
  const { world, id, caller } = await aWorldWithCaller();
  const { secret } = await valueOf(beginSetup(world)(caller));
  return { world, id, caller, secret, confirm: confirmSetup(world) };
};

describe('confirmSetup', () => {
  it('pending → enabled: enables two-factor authentication and returns ten recovery codes', async () => {
    const { world, id, caller, secret, confirm } = await aPendingSetup();
    const codes = await valueOf(confirm(caller, codeOf(world, secret)));
    expect(codes).to.have.length(recoveryCodeCount);
    expect(new Set(codes).size).to.equal(recoveryCodeCount);
    for (const code of codes) expect(code).to.match(/^[0-9A-HJKMNP-TV-Z]{6}(?:-[0-9A-HJKMNP-TV-Z]{6}){3}$/);
    expect((await valueOf(readProfile(world)({ userId: id }))).twoFactorEnabled).to.equal(true);
    expect((await valueOf(logIn(world)(aLogin(), noClient))).outcome).to.equal('challenge');
  });

  it('pending → pending: refuses a wrong code, and accepts the right one afterwards', async () => {
    const { world, caller, secret, confirm } = await aPendingSetup();
    const before = everythingIn(world);
    for (const wrong of [
      '000000',
      '12345',
      'abcdef',
      world.oneTimeCodes.codeOf(secret, 2),
      world.oneTimeCodes.codeOf(secret, -2),
    ]) {
      expect(await confirm(caller, typed(wrong))).to.deep.equal(err(invalidVerificationCode()));
    }
    expect(everythingIn(world)).to.deep.equal(before);
    expect(await refusalOf(confirm(caller, codeOf(world, secret)))).to.deep.equal(['accepted']);
  });

  for (const steps of [-1, 0, 1]) {
    it(`accepts a code that is ${steps} steps away from now`, async () => {
      const { world, caller, secret, confirm } = await aPendingSetup();
      const outcome = confirm(caller, typed(world.oneTimeCodes.codeOf(secret, steps)));
      expect(await refusalOf(outcome)).to.deep.equal(['accepted']);
    });
  }

  it('accepts a code with the space that apps show in the middle', async () => {
    const { world, caller, secret, confirm } = await aPendingSetup();
    const code = world.oneTimeCodes.codeOf(secret);
    const outcome = confirm(caller, typed(`${code.slice(0, 3)} ${code.slice(3)}`));
    expect(await refusalOf(outcome)).to.deep.equal(['accepted']);
  });

  it('disabled → disabled: refuses a setup that was never started', async () => {
    const { world, caller } = await aWorldWithCaller();
    expect(await confirmSetup(world)(caller, typed('123456'))).to.deep.equal(err(twoFactorNotPending()));
  });

  it('enabled → enabled: refuses to confirm again, and keeps the recovery codes', async () => {
    const { world, caller, secret } = await aWorldWithSecondFactor();
    const before = everythingIn(world);
    expect(await confirmSetup(world)(caller, codeOf(world, secret))).to.deep.equal(err(twoFactorNotPending()));
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('accepts no recovery code', async () => {
    const { world, caller, confirm } = await aPendingSetup();
    expect(world.randomness.base32(24)).to.have.length(24);
    const outcome = confirm(caller, typed('000000-000000-000000-000001'));
    expect(await refusalOf(outcome)).to.deep.equal(['InvalidVerificationCode']);
  });

  it('uses up the code: a sign-in needs the next one', async () => {
    const { world, caller, secret, confirm } = await aPendingSetup();
    const code = codeOf(world, secret);
    await valueOf(confirm(caller, code));
    const challengeToken = await aChallenge(world);
    const complete = completeTwoFactor(world);
    expect(await refusalOf(complete({ challengeToken, code }, noClient))).to.deep.equal(['InvalidVerificationCode']);
    world.clock.advance(stepSeconds);
    const next = complete({ challengeToken, code: codeOf(world, secret) }, noClient);
    expect(await refusalOf(next)).to.deep.equal(['accepted']);
  });

  it('ends every other session of the user, but neither the current one nor those of others', async () => {
    const world = aWorld();
    await aUser(world);
    await aUser(world, { email: 'eve@example.org' });
    const [mine, elsewhere, eve] = [
      await aSession(world),
      await aSession(world),
      await aSession(world, { email: 'eve@example.org' }),
    ];
    const recognize = ({ accessToken: token }: typeof mine) =>
      authenticate(world)({ kind: 'access token', token }, noClient);
    const { userId, credential } = await valueOf(recognize(mine));
    const caller = { ...callerOf(world, userId), credential: credential as never };
    const { secret } = await valueOf(beginSetup(world)(caller));
    await valueOf(confirmSetup(world)(caller, codeOf(world, secret)));
    const alive = await Promise.all([mine, elsewhere, eve].map(async (tokens) => (await recognize(tokens)).isOk()));
    expect(alive).to.deep.equal([true, false, true]);
  });

  it('notifies the user by mail, and records it', async () => {
    const { world, caller, secret, confirm } = await aPendingSetup();
    const entries = await entriesDuring(world, () => confirm(caller, codeOf(world, secret)));
    expect(entries.map(({ action, actor }) => [action, actor])).to.deep.equal([['twoFactor.enabled', caller.userId]]);
    expect(noticesIn(world)).to.deep.equal([`two-factor-enabled ${email}`]);
  });
});
