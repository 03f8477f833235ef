import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aMailedToken, aRegisteredUser, aRegistration, aVerifiedUser, logIn, password } from './support/arrange.ts';
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
  const expectMessage = (reply: Reply) => {
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json()).to.have.all.keys('message');
    expect(reply.headers.get('cache-control')).to.equal('no-store');
    expect(reply.cookies).to.deep.equal([]);
  };

  for (const path of ['/api/auth/forgot-password', '/api/auth/resend-verification']) {
    it(`POST ${path} returns 200 with the same text whether or not the address has an account, verified or not`, async () => {
      const verified = await aVerifiedUser(service);
      const unverified = await aRegisteredUser(service);
      const addresses = [verified.email, unverified.email, verified.email.toUpperCase(), 'nobody@example.com'];
      const replies = await Promise.all(addresses.map((email) => post(path, { email })));
      for (const reply of replies) expectMessage(reply);
      const shown = replies.map(({ text, headers }) => `${headers.get('content-length')} ${text}`);
      expect(new Set(shown)).to.have.property('size', 1);
    });
  }

  it('POST /api/auth/resend-verification mails a link that verifies the address', async () => {
    const { email } = await aRegisteredUser(service);
    const first = tokenIn(await service.mails.nextMailTo(email));
    expectMessage(await post('/api/auth/resend-verification', { email }));
    const second = tokenIn(await service.mails.nextMailTo(email));
    expectProblem(await post('/api/auth/verify-email', { token: first }), 400, 'invalid-token');
    expectMessage(await post('/api/auth/verify-email', { token: second }));
    await logIn(service, { email, password });
  });

  it('POST /api/auth/forgot-password mails a link for POST /api/auth/reset-password, which returns 200', async () => {
    const user = await aVerifiedUser(service);
    for (const email of ['unknown@example.com', user.email.toUpperCase()]) {
      expectMessage(await post('/api/auth/forgot-password', { email }));
    }
    const mail = await service.mails.nextMailTo(user.email);
    expect(mail.text).to.include(`${service.url}/reset-password#token=`);
    expect(mail.text).not.to.include('Ada');
    expect(service.mails.recipients).not.to.include.oneOf(['unknown@example.com', user.email.toUpperCase()]);
    expectMessage(await post('/api/auth/reset-password', { token: tokenIn(mail), password: newPassword }));
    await logIn(service, { ...user, password: newPassword });
    const notice = await service.mails.nextMailTo(user.email);
    expect(notice.subject).to.match(/password/i);
    expect(notice.text).not.to.include('#token=');
  });

  it('POST /api/auth/reset-password returns 400 for an unknown token and for missing or mistyped members', async () => {
    const reset = (body: unknown) => post('/api/auth/reset-password', body);
    expectProblem(await reset({ token: 'never-issued', password: newPassword }), 400, 'invalid-token');
    expectProblem(await reset({}), 400, 'validation-failed', ['token: member.required', 'password: member.required']);
    for (const token of ['', 1, ['x'], null])
      expect((await reset({ token, password: newPassword })).status).to.equal(400);
  });

  it('POST /api/users/me/password returns 200, and the current session stays', async () => {
    const user = await aVerifiedUser(service);
    expectMessage(await user.post('/api/users/me/password', { currentPassword: password, newPassword }));
    await logIn(service, { ...user, password: newPassword });
    expect((await user.get('/api/users/me')).status).to.equal(200);
    expect((await post('/api/auth/refresh', { refreshToken: user.refreshToken })).status).to.equal(200);
  });

  it('POST /api/users/me/password returns 422 for a wrong or missing current password', async () => {
    const user = await aVerifiedUser(service);
    for (const currentPassword of ['Wrong-Horse-7', undefined]) {
      expectProblem(
        await user.post('/api/users/me/password', { currentPassword, newPassword }),
        422,
        'validation-failed',
        ['currentPassword: password.wrong'],
      );
    }
  });

  it('PASSWORD_BLOCKLIST_FILE: returns 400 at registration and reset, and 422 at the change', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-blocklist-'));
    const passwordBlocklistFile = join(folder, 'passwords.txt');
    writeFileSync(passwordBlocklistFile, 'Password1\nCommon-Pass-1\n');
    const strict = await openMemoryService({ passwordBlocklistFile });
    const client = clientOf(strict.url);
    const common = 'Common-Pass-1';
    const registered = await client.post('/api/auth/register', { ...aRegistration(), password: common });
    expectProblem(registered, 400, 'validation-failed', ['password: password.common']);
    const user = await aVerifiedUser(strict);
    const token = await aMailedToken(strict, user, 'reset-password');
    const reset = await client.post('/api/auth/reset-password', { token, password: common });
    expectProblem(reset, 400, 'validation-failed', ['password: password.common']);
    const changed = await user.post('/api/users/me/password', { currentPassword: password, newPassword: common });
    expectProblem(changed, 422, 'validation-failed', ['newPassword: password.common']);
    await strict.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
