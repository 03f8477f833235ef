import {
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
import { resetPassword } from '../../../../src/accounts/passwords/reset-password.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
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
import { aChallenge, aSecondFactor } from '../../../support/two-factor.ts';
import { aWorld, everythingIn, hours, type World } from '../../../support/world.ts';

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
    expect(await reset(token, next, noClient)).to.deep.equal(ok());
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
    expect(await reset(token, Password.parse('Uncommon-9'), noClient)).to.deep.equal(ok());
  });

  it('keeps the token if hashing is busy', async () => {
    const { world, reset } = await aForgetfulUser();
    const passwords: PasswordHashes = { ...world.passwords, hash: () => errAsync(hashingBusy(1)) };
    const busy = await resetPassword({ ...world, passwords })(token, next, noClient);
    expect(busy).to.deep.equal(err(hashingBusy(1)));
    expect(await reset(token, next, noClient)).to.deep.equal(ok());
  });

  it('neither verifies the address nor lifts a block', async () => {
    const { world, id, reset } = await aForgetfulUser();
    changeUser(world, id, { active: false, emailVerified: false });
    await valueOf(reset(token, next, noClient));
    expect(storedUser(world, email)).to.include({ active: false, emailVerified: false });
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
