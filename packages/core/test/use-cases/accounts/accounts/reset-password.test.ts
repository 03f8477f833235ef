import {
  ApiTokenDraft,
  hashingBusy,
  MailedToken,
  mailedTokenInvalid,
  Password,
  type PasswordHashes,
  passwordTooCommon,
  type UserId,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, errAsync, ok } from 'neverthrow';
import { createApiToken } from '../../../../src/accounts/api-tokens/create-api-token.ts';
import { resetPassword } from '../../../../src/accounts/passwords/reset-password.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { disableTwoFactor } from '../../../../src/accounts/two-factor/disable-two-factor.ts';
import { callerOf } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import {
  aLogin,
  aNewUser,
  aSession,
  aUser,
  changeUser,
  email,
  noClient,
  password,
  storedUser,
  watched,
} from '../../../support/people.ts';
import { entriesDuring, noticesIn } from '../../../support/traces.ts';
import { aChallenge, aSecondFactor, codeOf, stepSeconds } from '../../../support/two-factor.ts';
import { aWorld, days, everythingIn, hours, type World } from '../../../support/world.ts';

const token = MailedToken.parse('a-reset-token');
const next = Password.parse('Changed-2');

const issue = (world: World, userId: UserId, purpose: 'reset-password' | 'verify-email' = 'reset-password') =>
  valueOf(
    world.unitOfWork.run(({ mailedTokens }) =>
      mailedTokens.issue({ hash: world.tokenHashes.of(token), userId, purpose, lifetimeSeconds: hours(1) }),
    ),
  );

const aForgetfulUser = async () => {
  const world = aWorld();
  const id = await aUser(world);
  await issue(world, id);
  return { world, id, reset: resetPassword(world) };
};

describe('resetPassword', () => {
  it('sets the new password, and invalidates the old one', async () => {
    const { world, reset } = await aForgetfulUser();
    expect(await reset(token, next, noClient)).to.deep.equal(ok({ apiTokens: [], twoFactorDisabled: false }));
    expect(await refusalOf(logIn(world)(aLogin(), noClient))).to.deep.equal(['InvalidCredentials']);
    expect(await refusalOf(logIn(world)(aLogin({ password: next }), noClient))).to.deep.equal(['accepted']);
  });

  it('ends exactly the sessions of the user', async () => {
    const { world, reset } = await aForgetfulUser();
    await aUser(world, { email: 'eve@example.org' });
    const mine = [await aSession(world), await aSession(world)];
    const eve = await aSession(world, { email: 'eve@example.org' });
    await valueOf(reset(token, next, noClient));
    const alive = await Promise.all(
      [...mine, eve].map(async ({ accessToken }) =>
        (await authenticate(world)({ kind: 'access token', token: accessToken }, noClient)).isOk(),
      ),
    );
    expect(alive).to.deep.equal([false, false, true]);
  });

  it('voids a pending second step, and keeps two-factor authentication enabled', async () => {
    const world = aWorld();
    const id = await aUser(world);
    await aSecondFactor(world, callerOf(world, id));
    await issue(world, id);
    await aChallenge(world);
    await valueOf(resetPassword(world)(token, next, noClient));
    expect([...everythingIn(world).challenges.values()].map(({ spent }) => spent)).to.deep.equal([true]);
    expect((await valueOf(logIn(world)(aLogin({ password: next }), noClient))).outcome).to.equal('challenge');
  });

  it('removes a factor that an unconfirmed session enabled within seven days, and says so', async () => {
    for (const [confirmed, age, isRemoved] of [
      [false, days(7) - 1, true],
      [false, days(7), false],
      [true, 0, false],
    ] as const) {
      const world = aWorld();
      const id = await aUser(world);
      const caller = callerOf(world, id);
      await aSecondFactor(world, { ...caller, credential: { ...caller.credential, confirmed } });
      world.clock.advance(age - stepSeconds);
      await issue(world, id);
      const earlier = noticesIn(world);
      const entries = await entriesDuring(world, async () => {
        const { twoFactorDisabled } = await valueOf(resetPassword(world)(token, next, noClient));
        expect(twoFactorDisabled).to.equal(isRemoved);
      });
      const { outcome } = await valueOf(logIn(world)(aLogin({ password: next }), noClient));
      expect(outcome).to.equal(isRemoved ? 'session' : 'challenge');
      const removal = isRemoved ? [`two-factor-disabled ${email}`] : [];
      expect(noticesIn(world).slice(earlier.length)).to.deep.equal([...removal, `password-changed ${email}`]);
      expect(entries.map(({ action }) => action)).to.deep.equal([
        'account.passwordReset',
        ...(isRemoved ? ['twoFactor.disabled'] : []),
      ]);
    }
  });

  it('works with a link that was mailed before an unconfirmed session enabled or disabled a factor', async () => {
    for (const confirmed of [false, true]) {
      const { world, id, reset } = await aForgetfulUser();
      const caller = callerOf(world, id);
      const session = { ...caller, credential: { ...caller.credential, confirmed } };
      const { secret } = await aSecondFactor(world, session);
      await valueOf(disableTwoFactor(world)(session, codeOf(world, secret)));
      world.clock.advance(stepSeconds);
      await aSecondFactor(world, session);
      expect(await refusalOf(reset(token, next, noClient))).to.deep.equal([
        confirmed ? 'MailedTokenInvalid' : 'accepted',
      ]);
    }
  });

  it('names the API tokens that stay valid, or revokes them', async () => {
    for (const revokeApiTokens of [false, true]) {
      const { world, id, reset } = await aForgetfulUser();
      const draft = ApiTokenDraft.parse({ name: 'Deployment' });
      const { token: apiToken, plainToken } = await valueOf(createApiToken(world)(callerOf(world, id), draft));
      const entries = await entriesDuring(world, async () => {
        const { apiTokens } = await valueOf(reset(token, next, noClient, { revokeApiTokens }));
        expect(apiTokens).to.deep.equal(revokeApiTokens ? [] : ['Deployment']);
      });
      const used = await authenticate(world)({ kind: 'API token', token: plainToken }, noClient);
      expect(used.isOk()).to.equal(!revokeApiTokens);
      expect(entries.slice(1).map(({ action, objects }) => ({ action, objects }))).to.deep.equal(
        revokeApiTokens ? [{ action: 'apiToken.revoked', objects: { apiToken: apiToken.id } }] : [],
      );
    }
  });

  it('spends the token', async () => {
    const { reset } = await aForgetfulUser();
    await valueOf(reset(token, next, noClient));
    expect(await reset(token, Password.parse('Another-3'), noClient)).to.deep.equal(err(mailedTokenInvalid()));
  });

  it('hashes no password for an invalid token', async () => {
    const { world } = await aForgetfulUser();
    const passwords = watched(world.passwords);
    const before = everythingIn(world);
    const outcome = await resetPassword({ ...world, passwords })(MailedToken.parse('guessed'), next, noClient);
    expect(outcome).to.deep.equal(err(mailedTokenInvalid()));
    expect(passwords.asked).to.deep.equal([]);
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('refuses a token for another purpose', async () => {
    const world = aWorld();
    await issue(world, await aNewUser(world), 'verify-email');
    expect(await resetPassword(world)(token, next, noClient)).to.deep.equal(err(mailedTokenInvalid()));
  });

  it('keeps the token if the password is common or the address', async () => {
    const { world } = await aForgetfulUser();
    const blocklist = { entries: new Set(['changed-2']) };
    const reset = resetPassword({ ...world, blocklist });
    const before = everythingIn(world);
    expect(await reset(token, next, noClient)).to.deep.equal(err(passwordTooCommon('password')));
    changeUser(world, [...before.users.keys()][0]!, { email: 'ada.1@example.org' as never });
    const address = await reset(token, Password.parse('Ada.1@Example.org'), noClient);
    expect(address).to.deep.equal(err(passwordTooCommon('password')));
    expect((await reset(token, Password.parse('Uncommon-9'), noClient)).isOk()).to.equal(true);
  });

  it('keeps the token if hashing is busy', async () => {
    const { world, reset } = await aForgetfulUser();
    const passwords: PasswordHashes = { ...world.passwords, hash: () => errAsync(hashingBusy(1)) };
    const busy = await resetPassword({ ...world, passwords })(token, next, noClient);
    expect(busy).to.deep.equal(err(hashingBusy(1)));
    expect(await reset(token, next, noClient)).to.deep.equal(ok({ apiTokens: [], twoFactorDisabled: false }));
  });

  it('verifies the address that got the mail, and lifts no block', async () => {
    for (const active of [true, false]) {
      const { world, id, reset } = await aForgetfulUser();
      changeUser(world, id, { active, emailVerified: false });
      const entries = await entriesDuring(world, () => valueOf(reset(token, next, noClient)));
      expect(entries.map(({ action }) => action)).to.deep.equal(['account.passwordReset', 'account.emailVerified']);
      expect(storedUser(world, email)).to.include({ active, emailVerified: true });
      expect(await refusalOf(logIn(world)(aLogin({ password: next }), noClient))).to.deep.equal([
        active ? 'accepted' : 'AccountInactive',
      ]);
    }
  });

  it('notifies the user by mail, and records it without the password', async () => {
    const { world, id, reset } = await aForgetfulUser();
    const client = { network: '192.0.2.1', userAgent: 'curl/8' };
    const entries = await entriesDuring(world, () => reset(token, next, client));
    expect(entries.map(({ action, actor, client: from }) => ({ action, actor, from }))).to.deep.equal([
      { action: 'account.passwordReset', actor: id, from: client },
    ]);
    expect(noticesIn(world)).to.deep.equal([`password-changed ${email}`]);
    expect(JSON.stringify(entries)).to.not.include(next).and.to.not.include(password).and.to.not.include(token);
  });
});
