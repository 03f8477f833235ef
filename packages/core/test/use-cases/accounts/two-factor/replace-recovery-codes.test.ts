import { invalidVerificationCode, recoveryCodeCount, twoFactorNotEnabled } from '@zonewright/core';
import { expect } from 'chai';
import { err } from 'neverthrow';
import { disableTwoFactor } from '../../../../src/accounts/two-factor/disable-two-factor.ts';
import { replaceRecoveryCodes } from '../../../../src/accounts/two-factor/replace-recovery-codes.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { email } from '../../../support/people.ts';
import { entriesDuring, noticesIn } from '../../../support/traces.ts';
import { aWorldWithCaller, aWorldWithSecondFactor, codeOf, typed } from '../../../support/two-factor.ts';
import { everythingIn } from '../../../support/world.ts';

describe('replaceRecoveryCodes', () => {
  it('replaces the whole set with ten new ones', async () => {
    const { world, caller, secret, recoveryCodes } = await aWorldWithSecondFactor();
    const fresh = await valueOf(replaceRecoveryCodes(world)(caller, codeOf(world, secret)));
    expect(fresh).to.have.length(recoveryCodeCount);
    expect(fresh.filter((code) => recoveryCodes.includes(code))).to.deep.equal([]);
    const replace = replaceRecoveryCodes(world);
    for (const old of recoveryCodes) {
      expect(await refusalOf(replace(caller, typed(old)))).to.deep.equal(['InvalidVerificationCode']);
    }
    expect(await refusalOf(replace(caller, typed(fresh[9]!)))).to.deep.equal(['accepted']);
  });

  const spellings: readonly (readonly [string, (code: string) => string])[] = [
    ['as it was shown', (code) => code],
    ['in lower case', (code) => code.toLowerCase()],
    ['without separators', (code) => code.replaceAll('-', '')],
    ['with spaces', (code) => code.replaceAll('-', ' ')],
    ['with letters that look like digits', (code) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
  ];
  for (const [what, spell] of spellings) {
    it(`recognizes a recovery code ${what}`, async () => {
      const { world, caller, recoveryCodes } = await aWorldWithSecondFactor();
      const outcome = replaceRecoveryCodes(world)(caller, typed(spell(recoveryCodes[2]!)));
      expect(await refusalOf(outcome)).to.deep.equal(['accepted']);
    });
  }

  it('refuses a wrong code, and keeps the set', async () => {
    const { world, caller, recoveryCodes } = await aWorldWithSecondFactor();
    const before = everythingIn(world);
    expect(await replaceRecoveryCodes(world)(caller, typed('999999'))).to.deep.equal(err(invalidVerificationCode()));
    expect(everythingIn(world)).to.deep.equal(before);
    expect(await refusalOf(disableTwoFactor(world)(caller, typed(recoveryCodes[0]!)))).to.deep.equal(['accepted']);
  });

  it('fails if two-factor authentication is not enabled', async () => {
    const { world, caller } = await aWorldWithCaller();
    expect(await replaceRecoveryCodes(world)(caller, typed('123456'))).to.deep.equal(err(twoFactorNotEnabled()));
  });

  it('notifies the user by mail, and records it', async () => {
    const { world, caller, secret } = await aWorldWithSecondFactor();
    const entries = await entriesDuring(world, () => replaceRecoveryCodes(world)(caller, codeOf(world, secret)));
    expect(entries.map(({ action }) => action)).to.deep.equal(['twoFactor.recoveryCodesReplaced']);
    expect(noticesIn(world).at(-1)).to.equal(`recovery-codes-replaced ${email}`);
  });
});
