import {
  accountNotFound,
  hashingBusy,
  PasswordChange,
  type PasswordHash,
  type PasswordHashes,
  passwordTooCommon,
  UserId,
  wrongCurrentPassword,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, errAsync, ok } from 'neverthrow';
import { changePassword } from '../../../../src/accounts/passwords/change-password.ts';
import { authenticate } from '../../../../src/accounts/sessions/authenticate.ts';
import { logIn } from '../../../../src/accounts/sign-in/log-in.ts';
import { callerOf } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aLogin, aSession, changeUser, email, noClient, password, storedUser } from '../../../support/people.ts';
import { entriesDuring, noticesIn } from '../../../support/traces.ts';
import { aWorldWithCaller } from '../../../support/two-factor.ts';
import { everythingIn } from '../../../support/world.ts';

const change = PasswordChange.parse({ currentPassword: password, newPassword: 'Changed-2' });

describe('changePassword', () => {
  it('replaces the password', async () => {
    const { world, caller } = await aWorldWithCaller();
    expect(await changePassword(world)(caller, change)).to.deep.equal(ok());
    expect(await refusalOf(logIn(world)(aLogin(), noClient))).to.deep.equal(['InvalidCredentials']);
    const signedIn = logIn(world)(aLogin({ password: 'Changed-2' }), noClient);
    expect(await refusalOf(signedIn)).to.deep.equal(['accepted']);
  });

  it('ends every other session, and keeps the current one', async () => {
    const { world, caller } = await aWorldWithCaller();
    const [mine, elsewhere] = [await aSession(world), await aSession(world)];
    const recognize = ({ accessToken: token }: typeof mine) =>
      authenticate(world)({ kind: 'access token', token }, noClient);
    const { credential } = await valueOf(recognize(mine));
    await valueOf(changePassword(world)({ ...caller, credential: credential as never }, change));
    expect((await recognize(mine)).isOk()).to.equal(true);
    expect((await recognize(elsewhere)).isOk()).to.equal(false);
  });

  it('refuses a wrong or missing current password, and changes nothing', async () => {
    const { world, caller } = await aWorldWithCaller();
    const before = everythingIn(world);
    for (const currentPassword of ['Wrong-1', undefined]) {
      const wrong = PasswordChange.parse({ ...change, currentPassword });
      expect(await changePassword(world)(caller, wrong)).to.deep.equal(err(wrongCurrentPassword()));
    }
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('fails if the password changes while the current one is being checked', async () => {
    const { world, id, caller } = await aWorldWithCaller();
    const passwords: PasswordHashes = {
      ...world.passwords,
      verify: (hash, attempt) => {
        changeUser(world, id, { passwordHash: 'plain:Meanwhile-1' as PasswordHash });
        return world.passwords.verify(hash, attempt);
      },
    };
    const outcome = await changePassword({ ...world, passwords })(caller, change);
    expect(outcome).to.deep.equal(err(wrongCurrentPassword()));
    expect(storedUser(world, email)?.passwordHash).to.equal('plain:Meanwhile-1');
  });

  it('refuses common passwords and the address, only with a blocklist', async () => {
    const { world, caller } = await aWorldWithCaller();
    const blocklist = { entries: new Set(['changed-2']) };
    const outcome = await changePassword({ ...world, blocklist })(caller, change);
    expect(outcome).to.deep.equal(err(passwordTooCommon('newPassword')));
    expect(await changePassword(world)(caller, change)).to.deep.equal(ok());
  });

  it('reports that hashing is busy, and changes nothing', async () => {
    const { world, caller } = await aWorldWithCaller();
    const before = everythingIn(world);
    const passwords: PasswordHashes = { ...world.passwords, hash: () => errAsync(hashingBusy(3)) };
    expect(await changePassword({ ...world, passwords })(caller, change)).to.deep.equal(err(hashingBusy(3)));
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('fails for a deleted user', async () => {
    const { world } = await aWorldWithCaller();
    const nobody = callerOf(world, UserId.parse('00000000-0000-7000-8000-00000000ffff'));
    expect(await changePassword(world)(nobody, change)).to.deep.equal(err(accountNotFound()));
  });

  it('notifies the user by mail, and records it without the passwords', async () => {
    const { world, caller } = await aWorldWithCaller();
    const entries = await entriesDuring(world, () => changePassword(world)(caller, change));
    expect(entries.map(({ action, actor }) => [action, actor])).to.deep.equal([
      ['account.passwordChanged', caller.userId],
    ]);
    expect(noticesIn(world)).to.deep.equal([`password-changed ${email}`]);
    expect(JSON.stringify(entries)).to.not.include('Changed-2').and.to.not.include(password);
  });
});
