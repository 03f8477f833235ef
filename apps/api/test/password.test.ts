import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  aMailedToken,
  aRegisteredUser,
  aRegistration,
  aVerifiedUser,
  logIn,
  password,
  type User,
} from './support/arrange.ts';
import { type Client, clientOf, expectProblem, type Reply } from './support/client.ts';
import { tokenIn } from './support/mailbox.ts';
import { changeRows, changeUser, type MemoryService, openMemoryService } from './support/memory-service.ts';
import { aChallenge, aTwoFactorUser, codeOf } from './support/two-factor.ts';

const newPassword = 'New-Battery-8';

/** Passwords that break a rule of the interface, and the violation. */
const badPasswords: readonly (readonly [what: string, password: unknown, violation: string])[] = [
  ['one of 7 characters', 'Short-1', 'text.tooShort'],
  ['one of 256 characters', `Aa1${'x'.repeat(253)}`, 'text.tooLong'],
  ['one without an uppercase letter', 'new-battery-8', 'password.upperCase'],
  ['one without a lowercase letter', 'NEW-BATTERY-8', 'password.lowerCase'],
  ['one without a digit', 'New-Battery-x', 'password.digit'],
  ['a number', 12345678, 'member.type'],
];

describe('Passwords', () => {
  let service: MemoryService;
  let anonymous: Client;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
  });
  after(() => service.close());

  const post = (path: string, body: unknown) => anonymous.post(path, body);
  const loginStatus = async ({ email }: Pick<User, 'email'>, withPassword: string) =>
    (await post('/api/auth/login', { email, password: withPassword })).status;
  const expire = (id: string) =>
    service.inTables(({ mailedTokens }) =>
      changeRows(mailedTokens, ({ userId }) => userId === id, { expiresAt: new Date(0) }),
    );
  const expectMessage = (reply: Reply) => {
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json()).to.have.all.keys('message');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    expect(reply.cookies).to.deep.equal([]);
  };
  /** Every mail so far was delivered once one that was asked for last has arrived. */
  const untilDelivered = async () => {
    const { email } = await aRegisteredUser(service);
    await service.mails.nextMailTo(email);
  };
  const mailsTo = (address: string) => service.mails.recipients.filter((each) => each === address).length;

  for (const path of ['/api/auth/forgot-password', '/api/auth/resend-verification']) {
    describe(`POST ${path}`, () => {
      it('answers 200 with the same words to addresses with and without an account, verified or not', async () => {
        const verified = await aVerifiedUser(service);
        const unverified = await aRegisteredUser(service);
        const replies = await Promise.all(
          [verified.email, unverified.email, verified.email.toUpperCase(), 'nobody@example.com'].map((email) =>
            post(path, { email }),
          ),
        );
        for (const reply of replies) expectMessage(reply);
        expect(new Set(replies.map(({ text }) => text))).to.have.property('size', 1);
        expect(new Set(replies.map(({ headers }) => headers.get('content-length')))).to.have.property('size', 1);
      });

      it('answers 400 when the e-mail is missing', async () => {
        expectProblem(await post(path, {}), 400, 'validation-failed', ['email: member.required']);
        expectProblem(await post(path, undefined), 400, 'malformed-body');
      });
    });
  }

  describe('POST /api/auth/resend-verification', () => {
    it('sends a link that verifies the address, and the link from before is worth nothing', async () => {
      const { email } = await aRegisteredUser(service);
      const first = tokenIn(await service.mails.nextMailTo(email));
      expectMessage(await post('/api/auth/resend-verification', { email }));
      const second = tokenIn(await service.mails.nextMailTo(email));
      expectProblem(await post('/api/auth/verify-email', { token: first }), 400, 'invalid-token');
      expect(await loginStatus({ email }, password)).to.equal(403);
      expectMessage(await post('/api/auth/verify-email', { token: second }));
      expect(await loginStatus({ email }, password)).to.equal(200);
    });

    it('sends nothing to a verified address, to an account that was switched off, and to nobody', async () => {
      const verified = await aVerifiedUser(service);
      const off = await aRegisteredUser(service);
      changeUser(service, off.id, { active: false });
      for (const email of [verified.email, off.email, 'stranger@example.com']) {
        expectMessage(await post('/api/auth/resend-verification', { email }));
      }
      await untilDelivered();
      // The one mail is that of the registration.
      expect([verified.email, off.email, 'stranger@example.com'].map(mailsTo)).to.deep.equal([0, 1, 0]);
    });
  });

  describe('POST /api/auth/forgot-password', () => {
    it('sends a link to the stored address, in its stored spelling, and nothing to nobody', async () => {
      const { email } = await aRegisteredUser(service);
      await service.mails.nextMailTo(email);
      for (const address of ['unknown@example.com', email.toUpperCase()]) {
        expectMessage(await post('/api/auth/forgot-password', { email: address }));
      }
      const mail = await service.mails.nextMailTo(email);
      expect(mail.text).to.include(`${service.url}/reset-password#token=`);
      expect(mail.text).not.to.include('Ada');
      expect(mailsTo('unknown@example.com')).to.equal(0);
      expect(mailsTo(email.toUpperCase())).to.equal(0);
    });

    it('changes nothing by itself: password and sessions stay', async () => {
      const user = await aVerifiedUser(service);
      expectMessage(await post('/api/auth/forgot-password', { email: user.email }));
      expect((await user.get('/api/users/me')).status).to.equal(200);
      expect(await loginStatus(user, password)).to.equal(200);
    });
  });

  describe('POST /api/auth/reset-password', () => {
    const reset = (token: unknown, value: unknown = newPassword) =>
      post('/api/auth/reset-password', { token, password: value });

    it('answers 200 to the token of the mail: the new password works, the old one does not', async () => {
      const user = await aVerifiedUser(service);
      await post('/api/auth/forgot-password', { email: user.email });
      const token = tokenIn(await service.mails.nextMailTo(user.email));
      expectMessage(await reset(token));
      expect(await loginStatus(user, password)).to.equal(401);
      expect(await loginStatus(user, newPassword)).to.equal(200);
      const notice = await service.mails.nextMailTo(user.email);
      expect(notice.subject).to.match(/password/i);
      expect(notice.text).not.to.include('#token=');
    });

    it('answers 200 and ends every session and challenge of the user, and of nobody else', async () => {
      const [user, other] = await Promise.all([aVerifiedUser(service), aVerifiedUser(service)]);
      const second = await logIn(service, user);
      expectMessage(await reset(await aMailedToken(service, user, 'reset-password')));
      for (const { token, refreshToken } of [user, second]) {
        expect((await anonymous.get('/api/users/me', { authorization: `Bearer ${token}` })).status).to.equal(401);
        expectProblem(await post('/api/auth/refresh', { refreshToken }), 401, 'invalid-refresh-token');
      }
      expect((await other.get('/api/users/me')).status).to.equal(200);
    });

    it('answers 200 and leaves the second factor on, while challenges from before end', async () => {
      const user = await aTwoFactorUser(service);
      const challengeToken = await aChallenge(service, user);
      expectMessage(await reset(await aMailedToken(service, user, 'reset-password')));
      const code = codeOf(user.secret);
      expectProblem(await post('/api/auth/2fa', { code, challengeToken }), 401, 'invalid-challenge');
      const fresh = await aChallenge(service, { email: user.email, password: newPassword });
      expect((await post('/api/auth/2fa', { code, challengeToken: fresh })).status).to.equal(200);
    });

    it('answers 200 and leaves API tokens alone', async () => {
      const user = await aVerifiedUser(service);
      const { plainToken } = (await user.post('/api/api-tokens', { name: 'ci' })).json() as { plainToken: string };
      expectMessage(await reset(await aMailedToken(service, user, 'reset-password')));
      expect((await anonymous.get('/api/users/me', { 'x-api-token': plainToken })).status).to.equal(200);
    });

    it('answers 200 without verifying the address or lifting a block', async () => {
      const unverified = await aRegisteredUser(service);
      expectMessage(await reset(await aMailedToken(service, unverified, 'reset-password')));
      expect(await loginStatus(unverified, newPassword)).to.equal(403);
    });

    it('answers 400 to a token that was spent', async () => {
      const token = await aMailedToken(service, await aVerifiedUser(service), 'reset-password');
      expectMessage(await reset(token));
      expectProblem(await reset(token, 'Another-Pass-9'), 400, 'invalid-token');
    });

    it('answers 400 to an expired token', async () => {
      const user = await aVerifiedUser(service);
      const token = await aMailedToken(service, user, 'reset-password');
      expire(user.id);
      expectProblem(await reset(token), 400, 'invalid-token');
      expect(await loginStatus(user, password)).to.equal(200);
    });

    it('answers 400 to a token that a newer one replaced', async () => {
      const user = await aVerifiedUser(service);
      const older = await aMailedToken(service, user, 'reset-password');
      const newer = await aMailedToken(service, user, 'reset-password');
      expectProblem(await reset(older), 400, 'invalid-token');
      expectMessage(await reset(newer));
    });

    it('answers 400 to a token from before the password was changed', async () => {
      const user = await aVerifiedUser(service);
      const token = await aMailedToken(service, user, 'reset-password');
      const change = { currentPassword: password, newPassword };
      expect((await user.post('/api/users/me/password', change)).status).to.equal(200);
      expectProblem(await reset(token, 'Another-Pass-9'), 400, 'invalid-token');
    });

    it('answers 400 to a token that was never issued, was issued for another purpose, or is missing', async () => {
      const user = await aRegisteredUser(service);
      expectProblem(await reset('never-issued'), 400, 'invalid-token');
      expectProblem(await reset(await aMailedToken(service, user, 'verify-email')), 400, 'invalid-token');
      expectProblem(await post('/api/auth/reset-password', { password: newPassword }), 400, 'validation-failed', [
        'token: member.required',
      ]);
      for (const token of ['', 1, ['x'], null]) expect((await reset(token)).status).to.equal(400);
    });

    for (const [what, value, violation] of badPasswords) {
      it(`answers 400 to ${what} as password, and the token is not spent`, async () => {
        const user = await aVerifiedUser(service);
        const token = await aMailedToken(service, user, 'reset-password');
        expectProblem(await reset(token, value), 400, 'validation-failed', [`password: ${violation}`]);
        expectMessage(await reset(token));
      });
    }

    it('answers 400 to a missing password and to malformed JSON', async () => {
      expectProblem(await post('/api/auth/reset-password', { token: 'x' }), 400, 'validation-failed', [
        'password: member.required',
      ]);
      const call = { headers: { 'content-type': 'application/json' }, body: '[' };
      expectProblem(await anonymous.send('POST', '/api/auth/reset-password', call), 400, 'malformed-body');
    });
  });

  describe('POST /api/auth/verify-email', () => {
    it('answers 400 to a token of a password reset, which stays good for that', async () => {
      const user = await aRegisteredUser(service);
      const token = await aMailedToken(service, user, 'reset-password');
      expectProblem(await post('/api/auth/verify-email', { token }), 400, 'invalid-token');
      expect(await loginStatus(user, password)).to.equal(403);
      expectMessage(await post('/api/auth/reset-password', { token, password: newPassword }));
    });
  });

  describe('POST /api/users/me/password', () => {
    const change = (user: User, body: unknown) => user.post('/api/users/me/password', body);

    it('answers 200: the new password works, the old one does not, other sessions end, the own one stays', async () => {
      const user = await aVerifiedUser(service);
      const second = await logIn(service, user);
      expectMessage(await change(user, { currentPassword: password, newPassword }));
      expect(await loginStatus(user, password)).to.equal(401);
      expect(await loginStatus(user, newPassword)).to.equal(200);
      expect((await user.get('/api/users/me')).status).to.equal(200);
      expect((await anonymous.get('/api/users/me', { authorization: `Bearer ${second.token}` })).status).to.equal(401);
      expect((await post('/api/auth/refresh', { refreshToken: second.refreshToken })).status).to.equal(401);
      expect((await post('/api/auth/refresh', { refreshToken: user.refreshToken })).status).to.equal(200);
    });

    it('answers 200 without a current password to an account that has none', async () => {
      const user = await aVerifiedUser(service);
      changeUser(service, user.id, { passwordHash: undefined });
      expectMessage(await change(user, { newPassword }));
      expect((await user.get('/api/users/me')).json()).to.include({ hasPassword: true });
      expect(await loginStatus(user, newPassword)).to.equal(200);
    });

    it('answers 422 to a wrong or missing current password, and nothing changes', async () => {
      const user = await aVerifiedUser(service);
      for (const body of [{ currentPassword: 'Wrong-Horse-7', newPassword }, { newPassword }]) {
        expectProblem(await change(user, body), 422, 'validation-failed', ['currentPassword: password.wrong']);
      }
      expect(await loginStatus(user, password)).to.equal(200);
    });

    for (const [what, value, violation] of badPasswords) {
      it(`answers 422 to ${what} as new password`, async () => {
        const user = await aVerifiedUser(service);
        const reply = await change(user, { currentPassword: password, newPassword: value });
        expectProblem(reply, 422, 'validation-failed', [`newPassword: ${violation}`]);
      });
    }

    it('answers 401 without credentials', async () => {
      expectProblem(await post('/api/users/me/password', { newPassword }), 401, 'unauthenticated');
    });
  });

  describe('a list of refused passwords', () => {
    let folder: string;
    let strict: MemoryService;
    let client: Client;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'zonewright-blocklist-'));
      const file = join(folder, 'passwords.txt');
      writeFileSync(file, 'Password1\nCommon-Pass-1\n');
      strict = await openMemoryService({ passwordBlocklistFile: file });
      client = clientOf(strict.url);
    });
    after(async () => {
      await strict.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('answers 400 at registration and reset, 422 at the change, and a token is not spent', async () => {
      const registration = { ...aRegistration(), password: 'Common-Pass-1' };
      const registered = await client.post('/api/auth/register', registration);
      expectProblem(registered, 400, 'validation-failed', ['password: password.common']);
      const user = await aVerifiedUser(strict);
      const token = await aMailedToken(strict, user, 'reset-password');
      const body = { token, password: 'Common-Pass-1' };
      expectProblem(await client.post('/api/auth/reset-password', body), 400, 'validation-failed', [
        'password: password.common',
      ]);
      const changed = await user.post('/api/users/me/password', {
        currentPassword: password,
        newPassword: 'Common-Pass-1',
      });
      expectProblem(changed, 422, 'validation-failed', ['newPassword: password.common']);
      expect((await client.post('/api/auth/reset-password', { token, password: newPassword })).status).to.equal(200);
    });

    it('refuses the own address as password', async () => {
      const email = 'Ada.Lovelace1815@example.com';
      const reply = await client.post('/api/auth/register', { ...aRegistration(), email, password: email });
      expectProblem(reply, 400, 'validation-failed', ['password: password.common']);
    });
  });
});
