import { invalidVerificationCode, twoFactorEnforced, twoFactorNotEnabled } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readProfile } from '../../../../src/accounts/accounts/read-accounts.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { disableTwoFactor } from '../../../../src/accounts/two-factor/disable-two-factor.ts';
import { replaceRecoveryCodes } from '../../../../src/accounts/two-factor/replace-recovery-codes.ts';
import { beginSetup } from '../../../../src/accounts/two-factor/set-up.ts';
import { anOrganization, changeOrganization, setRole } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aLogin, email, noClient } from '../../../support/people.ts';
import { entriesDuring, noticesIn } from '../../../support/traces.ts';
import {
  aSecondFactor,
  aWorldWithCaller,
  aWorldWithSecondFactor,
  codeOf,
  stepSeconds,
  typed,
} from '../../../support/two-factor.ts';
import { everythingIn } from '../../../support/world.ts';

describe('disableTwoFactor', () => {
  for (const kind of ['an authenticator code', 'a recovery code'] as const) {
    it(`enabled → disabled: by ${kind}, and deletes all its data`, async () => {
      const { world, id, caller, secret, recoveryCodes } = await aWorldWithSecondFactor();
      const code = kind === 'a recovery code' ? typed(recoveryCodes[3]!) : codeOf(world, secret);
      expect(await disableTwoFactor(world)(caller, code)).to.deep.equal(ok());
      expect((await valueOf(readProfile(world)({ userId: id }))).twoFactorEnabled).to.equal(false);
      expect((await valueOf(logIn(world)(aLogin(), noClient))).outcome).to.equal('session');
      const { twoFactors, recoveryCodes: stored } = everythingIn(world);
      expect([twoFactors.size, stored.size]).to.deep.equal([0, 0]);
    });
  }

  it('enabled → enabled: refuses a wrong code, and uses up nothing', async () => {
    const { world, caller } = await aWorldWithSecondFactor();
    const before = everythingIn(world);
    for (const wrong of ['999999', '000000-000000-000000-999999', 'not a code at all']) {
      expect(await disableTwoFactor(world)(caller, typed(wrong))).to.deep.equal(err(invalidVerificationCode()));
    }
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('enabled → enabled: refuses while an organization requires it, and uses up no code', async () => {
    const { world, id, caller, secret, recoveryCodes } = await aWorldWithSecondFactor();
    const organization = anOrganization(world, { enforceTwoFactor: true });
    setRole(world, organization, id, 'viewer');
    const before = everythingIn(world);
    const disable = disableTwoFactor(world);
    for (const code of [codeOf(world, secret), typed(recoveryCodes[0]!), typed('999999')]) {
      expect(await disable(caller, code)).to.deep.equal(err(twoFactorEnforced(organization)));
    }
    expect(everythingIn(world)).to.deep.equal(before);
    changeOrganization(world, organization, { enforceTwoFactor: false });
    expect(await disable(caller, codeOf(world, secret))).to.deep.equal(ok());
  });

  it('ignores organizations of others', async () => {
    const { world, caller, secret } = await aWorldWithSecondFactor();
    anOrganization(world, { enforceTwoFactor: true });
    expect(await disableTwoFactor(world)(caller, codeOf(world, secret))).to.deep.equal(ok());
  });

  it('disabled and pending: fails, whatever the organizations require', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    setRole(world, anOrganization(world, { enforceTwoFactor: true }), id, 'viewer');
    expect(await disableTwoFactor(world)(caller, typed('123456'))).to.deep.equal(err(twoFactorNotEnabled()));
    const { secret } = await valueOf(beginSetup(world)(caller));
    expect(await disableTwoFactor(world)(caller, codeOf(world, secret))).to.deep.equal(err(twoFactorNotEnabled()));
  });

  it('refuses a code that another endpoint has used', async () => {
    const { world, caller, secret } = await aWorldWithSecondFactor();
    const code = codeOf(world, secret);
    const fresh = await valueOf(replaceRecoveryCodes(world)(caller, code));
    expect(await refusalOf(disableTwoFactor(world)(caller, code))).to.deep.equal(['InvalidVerificationCode']);
    expect(await refusalOf(disableTwoFactor(world)(caller, typed(fresh[0]!)))).to.deep.equal(['accepted']);
  });

  it('refuses a code from before the latest used one', async () => {
    const { world, caller, secret } = await aWorldWithSecondFactor();
    const earlier = codeOf(world, secret);
    await valueOf(replaceRecoveryCodes(world)(caller, typed(world.oneTimeCodes.codeOf(secret, 1))));
    expect(await disableTwoFactor(world)(caller, earlier)).to.deep.equal(err(invalidVerificationCode()));
  });

  it('lets the user start again with another secret', async () => {
    const { world, caller, secret } = await aWorldWithSecondFactor();
    await valueOf(disableTwoFactor(world)(caller, codeOf(world, secret)));
    const again = await aSecondFactor(world, caller);
    expect(again.secret).to.not.equal(secret);
    world.clock.advance(stepSeconds);
    const outcome = disableTwoFactor(world)(caller, codeOf(world, secret));
    expect(await refusalOf(outcome)).to.deep.equal(['InvalidVerificationCode']);
  });

  it('notifies the user by mail, and records it', async () => {
    const { world, caller, secret } = await aWorldWithSecondFactor();
    const entries = await entriesDuring(world, () => disableTwoFactor(world)(caller, codeOf(world, secret)));
    expect(entries.map(({ action }) => action)).to.deep.equal(['twoFactor.disabled']);
    expect(noticesIn(world)).to.deep.equal([`two-factor-enabled ${email}`, `two-factor-disabled ${email}`]);
  });
});
