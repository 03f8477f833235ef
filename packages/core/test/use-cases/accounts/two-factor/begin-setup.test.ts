import { accountNotFound, twoFactorAlreadyEnabled, UserId } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readProfile } from '../../../../src/accounts/accounts/read-accounts.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { beginSetup, confirmSetup } from '../../../../src/accounts/two-factor/set-up.ts';
import { callerOf } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aLogin, aSession, aUser, email, noClient } from '../../../support/people.ts';
import { entriesDuring, noticesIn } from '../../../support/traces.ts';
import { aWorldWithCaller, aWorldWithSecondFactor, codeOf } from '../../../support/two-factor.ts';
import { everythingIn, minutes } from '../../../support/world.ts';

describe('beginSetup', () => {
  it('disabled → pending: returns the secret as text, URI and picture', async () => {
    const { world, caller } = await aWorldWithCaller();
    const { secret, otpauthUri, qrDataUri } = await valueOf(beginSetup(world)(caller));
    expect(otpauthUri).to.equal(`otpauth://totp/${email}?secret=${secret}`);
    expect(qrDataUri).to.equal(`data:text/plain,${encodeURIComponent(otpauthUri)}`);
  });

  it('disabled → pending: is not enabled yet', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const { accessToken } = await aSession(world);
    await valueOf(beginSetup(world)(caller));
    expect((await valueOf(readProfile(world)({ userId: id }))).twoFactorEnabled).to.equal(false);
    expect((await valueOf(logIn(world)(aLogin(), noClient))).outcome).to.equal('session');
    expect((await authenticate(world)({ kind: 'access token', token: accessToken }, noClient)).isOk()).to.equal(true);
    expect(noticesIn(world)).to.deep.equal([]);
  });

  it('pending → pending: a new secret replaces the unconfirmed one', async () => {
    const { world, caller } = await aWorldWithCaller();
    const first = await valueOf(beginSetup(world)(caller));
    const second = await valueOf(beginSetup(world)(caller));
    expect(second.secret).to.not.equal(first.secret);
    const confirm = confirmSetup(world);
    expect(await refusalOf(confirm(caller, codeOf(world, first.secret)))).to.deep.equal(['InvalidVerificationCode']);
    expect(await refusalOf(confirm(caller, codeOf(world, second.secret)))).to.deep.equal(['accepted']);
  });

  it('pending → disabled: the secret expires after 15 minutes, and not before', async () => {
    for (const [seconds, expected] of [
      [minutes(15) - 1, 'accepted'],
      [minutes(15), 'TwoFactorNotPending'],
    ] as const) {
      const { world, caller } = await aWorldWithCaller();
      const { secret } = await valueOf(beginSetup(world)(caller));
      world.clock.advance(seconds);
      expect(await refusalOf(confirmSetup(world)(caller, codeOf(world, secret)))).to.deep.equal([expected]);
    }
  });

  it('enabled → enabled: refuses, and changes nothing', async () => {
    const { world, caller } = await aWorldWithSecondFactor();
    const before = everythingIn(world);
    expect(await beginSetup(world)(caller)).to.deep.equal(err(twoFactorAlreadyEnabled()));
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('records the start, without the secret', async () => {
    const { world, caller } = await aWorldWithCaller();
    const [entry, ...others] = await entriesDuring(world, () => beginSetup(world)(caller));
    expect(others).to.deep.equal([]);
    const { credential, client } = caller;
    expect(entry).to.deep.include({
      action: 'twoFactor.setupBegun',
      actor: caller.userId,
      credential: credential.id,
      client,
    });
    expect(entry?.objects).to.deep.equal({});
  });

  it('does not affect other users', async () => {
    const { world, caller } = await aWorldWithSecondFactor();
    const other = callerOf(world, await aUser(world, { email: 'eve@example.org' }));
    expect(caller.userId).to.not.equal(other.userId);
    expect(await beginSetup(world)(other).map(() => 'begun')).to.deep.equal(ok('begun'));
  });

  it('fails for a deleted user, and stores no secret', async () => {
    const { world } = await aWorldWithCaller();
    const nobody = callerOf(world, UserId.parse('00000000-0000-7000-8000-00000000ffff'));
    expect(await beginSetup(world)(nobody)).to.deep.equal(err(accountNotFound()));
    expect(everythingIn(world).twoFactors.size).to.equal(0);
  });
});
