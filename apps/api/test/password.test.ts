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
import { type MemoryService, openMemoryService } from './support/memory-service.ts';

const newPassword = 'New-Battery-8';

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
  const expectMessage = (reply: Reply) => {
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json()).to.have.all.keys('message');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    expect(reply.cookies).to.deep.equal([]);
  };
  const mailsTo = (address: string) => service.mails.recipients.filter((each) => each === address).length;

  for (const path of ['/api/auth/forgot-password', '/api/auth/resend-verification']) {
    describe(`POST ${path}`, () => {
      it('answers 200 with the same text whether or not the address has an account, verified or not', async () => {
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
    });
  }

  describe('POST /api/auth/resend-verification', () => {
    it('sends a link that verifies the address, and invalidates the previous one', async () => {
      const { email } = await aRegisteredUser(service);
      const first = tokenIn(await service.mails.nextMailTo(email));
      expectMessage(await post('/api/auth/resend-verification', { email }));
      const second = tokenIn(await service.mails.nextMailTo(email));
      expectProblem(await post('/api/auth/verify-email', { token: first }), 400, 'invalid-token');
      expect(await loginStatus({ email }, password)).to.equal(403);
      expectMessage(await post('/api/auth/verify-email', { token: second }));
      expect(await loginStatus({ email }, password)).to.equal(200);
    });
  });

  describe('POST /api/auth/forgot-password', () => {
    it('sends a link to the stored address, in its stored spelling, and none to unknown addresses', async () => {
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

    it('answers 200 to the mailed token: the new password works, the old one does not', async () => {
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

    it('answers 200 and ends all sessions and challenges of the user, and of nobody else', async () => {
      const [user, other] = await Promise.all([aVerifiedUser(service), aVerifiedUser(service)]);
      const second = await logIn(service, user);
      expectMessage(await reset(await aMailedToken(service, user, 'reset-password')));
      for (const { token, refreshToken } of [user, second]) {
        expect((await anonymous.get('/api/users/me', { authorization: `Bearer ${token}` })).status).to.equal(401);
        expectProblem(await post('/api/auth/refresh', { refreshToken }), 401, 'invalid-refresh-token');
      }
      expect((await other.get('/api/users/me')).status).to.equal(200);
    });

    it('answers 400 to a token that is unknown, was issued for another purpose, or is missing', async () => {
      const user = await aRegisteredUser(service);
      expectProblem(await reset('never-issued'), 400, 'invalid-token');
      expectProblem(await reset(await aMailedToken(service, user, 'verify-email')), 400, 'invalid-token');
      expectProblem(await post('/api/auth/reset-password', { password: newPassword }), 400, 'validation-failed', [
        'token: member.required',
      ]);
      for (const token of ['', 1, ['x'], null]) expect((await reset(token)).status).to.equal(400);
    });

    it('answers 400 to a missing password and to malformed JSON', async () => {
      expectProblem(await post('/api/auth/reset-password', { token: 'x' }), 400, 'validation-failed', [
        'password: member.required',
      ]);
      const call = { headers: { 'content-type': 'application/json' }, body: '[' };
      expectProblem(await anonymous.send('POST', '/api/auth/reset-password', call), 400, 'malformed-body');
    });
  });

  describe('POST /api/users/me/password', () => {
    const change = (user: User, body: unknown) => user.post('/api/users/me/password', body);

    it('answers 200: the new password works, the old one does not, other sessions end, the current one stays', async () => {
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

    it('answers 422 to a wrong or missing current password, without any effect', async () => {
      const user = await aVerifiedUser(service);
      for (const body of [{ currentPassword: 'Wrong-Horse-7', newPassword }, { newPassword }]) {
        expectProblem(await change(user, body), 422, 'validation-failed', ['currentPassword: password.wrong']);
      }
      expect(await loginStatus(user, password)).to.equal(200);
    });

    it('answers 401 without credentials', async () => {
      expectProblem(await post('/api/users/me/password', { newPassword }), 401, 'unauthenticated');
    });
  });

  describe('a password blocklist', () => {
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

    it('answers 400 at registration and reset, 422 at the change, and the token stays valid', async () => {
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

    it("rejects the user's own address as password", async () => {
      const email = 'Ada.Lovelace1815@example.com';
      const reply = await client.post('/api/auth/register', { ...aRegistration(), email, password: email });
      expectProblem(reply, 400, 'validation-failed', ['password: password.common']);
    });
  });
});
