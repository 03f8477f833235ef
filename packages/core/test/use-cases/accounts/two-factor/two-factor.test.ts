import {
  accountNotFound,
  invalidVerificationCode,
  recoveryCodeCount,
  twoFactorAlreadyEnabled,
  twoFactorEnforced,
  twoFactorNotEnabled,
  twoFactorNotPending,
  UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readProfile } from '../../../../src/accounts/accounts/read-accounts.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { completeTwoFactor } from '../../../../src/accounts/sign-in/complete-two-factor.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { disableTwoFactor } from '../../../../src/accounts/two-factor/disable-two-factor.ts';
import { replaceRecoveryCodes } from '../../../../src/accounts/two-factor/replace-recovery-codes.ts';
import { beginSetup, confirmSetup } from '../../../../src/accounts/two-factor/set-up.ts';
import { anOrganization, callerOf, changeOrganization, setRole } from '../../../support/organizations.ts';
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
import { aWorld, everythingIn, minutes } from '../../../support/world.ts';

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
    const [actor, credential, { client }] = [caller.userId, caller.credential.id, caller];
    expect(entry).to.deep.include({ action: 'twoFactor.setupBegun', actor, credential, client, objects: {} });
  });

  it('fails for a deleted user, and stores no secret', async () => {
    const { world } = await aWorldWithCaller();
    const nobody = callerOf(world, UserId.parse('00000000-0000-7000-8000-00000000ffff'));
    expect(await beginSetup(world)(nobody)).to.deep.equal(err(accountNotFound()));
    expect(everythingIn(world).twoFactors.size).to.equal(0);
  });
});

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
    const tooFarOff = [2, -2].map((steps) => world.oneTimeCodes.codeOf(secret, steps));
    for (const wrong of ['000000', '12345', 'abcdef', ...tooFarOff]) {
      expect(await confirm(caller, typed(wrong))).to.deep.equal(err(invalidVerificationCode()));
    }
    expect(everythingIn(world)).to.deep.equal(before);
    expect(await refusalOf(confirm(caller, codeOf(world, secret)))).to.deep.equal(['accepted']);
  });

  it('accepts a code with the space that apps show in the middle', async () => {
    const { world, caller, secret, confirm } = await aPendingSetup();
    const code = world.oneTimeCodes.codeOf(secret);
    expect((await confirm(caller, typed(`${code.slice(0, 3)} ${code.slice(3)}`))).isOk()).to.equal(true);
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
    const { caller, confirm } = await aPendingSetup();
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
});

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

  it('enabled → enabled: refuses while an organization of the user requires it, and uses up no code', async () => {
    const { world, id, caller, secret, recoveryCodes } = await aWorldWithSecondFactor();
    anOrganization(world, { enforceTwoFactor: true });
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
});

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
});

describe('a change of the second factor', () => {
  it('notifies the user by mail, and is recorded', async () => {
    const { world, caller, secret, confirm } = await aPendingSetup();
    const entries = await entriesDuring(world, async () => {
      for (const change of [confirm, replaceRecoveryCodes(world), disableTwoFactor(world)]) {
        await change(caller, codeOf(world, secret));
        world.clock.advance(stepSeconds);
      }
    });
    const actions = ['twoFactor.enabled', 'twoFactor.recoveryCodesReplaced', 'twoFactor.disabled'];
    expect(entries.map(({ action, actor }) => [action, actor])).to.deep.equal(
      actions.map((action) => [action, caller.userId]),
    );
    expect(noticesIn(world)).to.deep.equal([
      `two-factor-enabled ${email}`,
      `recovery-codes-replaced ${email}`,
      `two-factor-disabled ${email}`,
    ]);
  });
});
