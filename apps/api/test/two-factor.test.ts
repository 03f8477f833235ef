import { expect } from 'chai';
import { aMember, aVerifiedUser, logIn, type Tokens, type User } from './support/arrange.ts';
import { type Client, clientOf, cookieValue, expectProblem, type Reply } from './support/client.ts';
import { type MemoryService, openMemoryService } from './support/memory-service.ts';
import {
  aChallenge,
  aTwoFactorUser,
  beginSetup,
  codeOf,
  enforceTwoFactor,
  recoveryCodesIn,
  type TwoFactorUser,
  wrongCodeFor,
} from './support/two-factor.ts';

const recoveryCode = /^[0-9A-HJKMNP-TV-Z]{6}(-[0-9A-HJKMNP-TV-Z]{6}){3}$/;
const isEnabled = async (user: User) =>
  ((await user.get('/api/users/me')).json() as { readonly twoFactorEnabled: boolean }).twoFactorEnabled;

const badCodes: readonly (readonly [code: unknown, violation: string])[] = [
  [undefined, 'member.required'],
  ['', 'text.tooShort'],
  [123456, 'member.type'],
  [['123456'], 'member.type'],
  [null, 'member.type'],
  ['1'.repeat(65), 'text.tooLong'],
];

describe('Two-factor authentication', () => {
  let service: MemoryService;
  let anonymous: Client;

  before(async () => {
    service = await openMemoryService({ corsOrigins: ['https://app.example.com'] });
    anonymous = clientOf(service.url);
  });
  after(() => service.close());

  const answer = (body: unknown, headers?: Readonly<Record<string, string>>) =>
    anonymous.post('/api/auth/2fa', body, headers);

  /** Signs in with both factors. */
  const logInTwice = async (user: TwoFactorUser): Promise<User> => {
    const reply = await answer({ code: codeOf(user.secret), challengeToken: await aChallenge(service, user) });
    expect(reply.status, reply.text).to.equal(200);
    const tokens = reply.json() as Tokens;
    return { ...user, ...tokens, ...clientOf(service.url, { authorization: `Bearer ${tokens.token}` }) };
  };

  describe('POST /api/2fa/setup', () => {
    it('returns 200 with exactly a secret, its URI and a QR code, never stored', async () => {
      const user = await aVerifiedUser(service);
      const reply = await user.post('/api/2fa/setup');
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { secret, otpauthUri, qrDataUri, ...rest } = reply.json() as Record<string, string>;
      expect(rest).to.deep.equal({});
      expect(secret).to.match(/^[A-Z2-7]{32}$/);
      const uri = new URL(otpauthUri ?? '');
      expect([uri.protocol, uri.host]).to.deep.equal(['otpauth:', 'totp']);
      expect(decodeURIComponent(uri.pathname)).to.equal(`/Zonewright:${user.email}`);
      expect(uri.searchParams.get('secret')).to.equal(secret);
      expect(uri.searchParams.get('issuer')).to.equal('Zonewright');
      expect(qrDataUri).to.match(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/);
      const image = Buffer.from((qrDataUri ?? '').split(',')[1] ?? '', 'base64');
      expect(image.subarray(0, 8).toString('latin1')).to.equal('\u0089PNG\r\n\u001a\n');
    });
  });

  describe('POST /api/2fa/confirm', () => {
    const confirm = (user: User, code: unknown) => user.post('/api/2fa/confirm', { code });

    it('returns 200 with ten recovery codes, and enables the second factor', async () => {
      const user = await aVerifiedUser(service);
      const { secret } = await beginSetup(user);
      const reply = await confirm(user, codeOf(secret));
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.json()).to.have.all.keys('recoveryCodes');
      const codes = recoveryCodesIn(reply);
      expect(new Set(codes)).to.have.property('size', 10);
      for (const code of codes) expect(code).to.match(recoveryCode);
      expect(await isEnabled(user)).to.equal(true);
    });

    it('returns 422 for an invalid code', async () => {
      const user = await aVerifiedUser(service);
      const { secret } = await beginSetup(user);
      expectProblem(await confirm(user, wrongCodeFor(secret)), 422, 'invalid-verification-code');
      expect(await isEnabled(user)).to.equal(false);
    });

    it('returns 409 unless a setup is pending', async () => {
      expectProblem(await confirm(await aVerifiedUser(service), '123456'), 409, 'two-factor-not-pending');
    });
  });

  describe('POST /api/2fa/disable', () => {
    const disable = (user: User, code: unknown) => user.post('/api/2fa/disable', { code });

    it('returns 200 with a message to a TOTP code, and disables the second factor', async () => {
      const user = await aTwoFactorUser(service);
      const reply = await disable(user, codeOf(user.secret));
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.have.all.keys('message');
      expect(await isEnabled(user)).to.equal(false);
      expect(await logIn(service, user)).to.have.all.keys('token', 'refreshToken');
    });

    it('returns 422 for an invalid code, and 409 while disabled', async () => {
      const user = await aTwoFactorUser(service);
      expectProblem(await disable(user, wrongCodeFor(user.secret)), 422, 'invalid-verification-code');
      expectProblem(await disable(await aVerifiedUser(service), '123456'), 409, 'two-factor-not-enabled');
    });

    it('returns 403 while an organization of the user requires it', async () => {
      const user = await aTwoFactorUser(service);
      enforceTwoFactor(service, user);
      expectProblem(await disable(user, codeOf(user.secret)), 403, 'two-factor-enforced');
      expect((await user.get('/api/users/me')).json()).to.include({ twoFactorEnabled: true, twoFactorEnforced: true });
    });
  });

  describe('POST /api/2fa/recovery-codes', () => {
    const replace = (user: User, code: unknown) => user.post('/api/2fa/recovery-codes', { code });

    it('returns 200 with ten new codes', async () => {
      const user = await aTwoFactorUser(service);
      const reply = await replace(user, codeOf(user.secret));
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(new Set([...recoveryCodesIn(reply), ...user.recoveryCodes])).to.have.property('size', 20);
    });

    it('returns 422 for an invalid code, and 409 while disabled', async () => {
      const user = await aTwoFactorUser(service);
      expectProblem(await replace(user, wrongCodeFor(user.secret)), 422, 'invalid-verification-code');
      expectProblem(await replace(await aVerifiedUser(service), '123456'), 409, 'two-factor-not-enabled');
    });
  });

  it('POST /api/2fa/confirm, disable and recovery-codes return 400 for a missing, mistyped or too long code', async () => {
    const user = await aVerifiedUser(service);
    for (const path of ['/api/2fa/confirm', '/api/2fa/disable', '/api/2fa/recovery-codes']) {
      for (const [code, violation] of badCodes) {
        expectProblem(await user.post(path, { code }), 400, 'validation-failed', [`code: ${violation}`]);
      }
    }
  });

  describe('POST /api/auth/login of a two-factor account', () => {
    it('returns 200 with exactly mfaRequired and a challenge, without a session', async () => {
      const user = await aTwoFactorUser(service);
      const reply = await anonymous.post('/api/auth/login', { email: user.email, password: user.password });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      const { challengeToken, ...rest } = reply.json() as { challengeToken: string };
      expect(rest).to.deep.equal({ mfaRequired: true, methods: ['code'] });
      expect(reply.cookies.map((cookie) => cookie.replace(challengeToken, '<challengeToken>'))).to.deep.equal([
        'mfa_pending=<challengeToken>; Path=/api/auth/2fa; Max-Age=300; HttpOnly; Secure; SameSite=Strict',
      ]);
      const live = service.inTables(({ sessions }) =>
        [...sessions.values()].filter(({ userId, ended }) => userId === user.id && !ended),
      );
      expect(live).to.have.length(1);
    });

    it('issues a challenge that is not a credential anywhere else', async () => {
      const user = await aTwoFactorUser(service);
      const token = await aChallenge(service, user);
      expect((await anonymous.get('/api/users/me', { authorization: `Bearer ${token}` })).status).to.equal(401);
      expect((await anonymous.get('/api/users/me', { 'x-api-token': token })).status).to.equal(401);
      expect((await anonymous.get('/api/users/me', { cookie: `mfa_pending=${token}` })).status).to.equal(401);
      expect((await anonymous.post('/api/auth/refresh', { refreshToken: token })).status).to.equal(401);
      expect((await anonymous.post('/api/auth/verify-email', { token })).status).to.equal(400);
    });
  });

  describe('POST /api/auth/2fa', () => {
    let user: TwoFactorUser;
    beforeEach(async () => {
      user = await aTwoFactorUser(service);
    });
    const expectInvalidChallenge = (reply: Reply) => {
      expectProblem(reply, 401, 'invalid-challenge');
      expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
    };
    const clearedChallenge = 'mfa_pending=; Path=/api/auth/2fa; Max-Age=0; HttpOnly; Secure; SameSite=Strict';

    it('returns 200 with exactly the tokens, sets them as cookies and clears the challenge', async () => {
      const reply = await answer({ code: codeOf(user.secret), challengeToken: await aChallenge(service, user) });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      expect(reply.json()).to.have.all.keys('token', 'refreshToken');
      const { token, refreshToken } = reply.json() as Tokens;
      const shapes = reply.cookies.map((cookie) => cookie.replace(token, '<token>').replace(refreshToken, '<refresh>'));
      expect(shapes).to.deep.equal([
        '__Host-access_token=<token>; Path=/; Max-Age=900; HttpOnly; Secure; SameSite=Lax',
        '__Secure-refresh_token=<refresh>; Path=/api/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict',
        clearedChallenge,
      ]);
      expect((await anonymous.get('/api/users/me', { authorization: `Bearer ${token}` })).status).to.equal(200);
      expect((await anonymous.post('/api/auth/refresh', { refreshToken })).status).to.equal(200);
    });

    it('returns 200 for the challenge in the cookie', async () => {
      const login = await anonymous.post('/api/auth/login', { email: user.email, password: user.password });
      const cookie = `mfa_pending=${cookieValue(login, 'mfa_pending')}`;
      expect((await answer({ code: codeOf(user.secret) }, { cookie })).status).to.equal(200);
    });

    it('prefers the challenge in the body to the cookie', async () => {
      const challengeToken = await aChallenge(service, user);
      const cookie = 'mfa_pending=another';
      expect((await answer({ code: codeOf(user.secret), challengeToken }, { cookie })).status).to.equal(200);
    });

    it('returns 403 for the challenge in the cookie from a page of another site', async () => {
      const cookie = `mfa_pending=${await aChallenge(service, user)}`;
      const code = codeOf(user.secret);
      const foreign = { cookie, origin: 'https://evil.example' };
      expectProblem(await answer({ code }, foreign), 403, 'foreign-origin');
      expect((await answer({ code }, { cookie, origin: 'https://app.example.com' })).status).to.equal(200);
    });

    it('returns 400 for a missing, mistyped or too long code', async () => {
      const challengeToken = await aChallenge(service, user);
      for (const [code, violation] of badCodes) {
        expectProblem(await answer({ code, challengeToken }), 400, 'validation-failed', [`code: ${violation}`]);
      }
      const cookie = `mfa_pending=${challengeToken}`;
      expectProblem(await answer({}, { cookie }), 400, 'validation-failed', ['code: member.required']);
    });

    it('returns 400 for a challenge of another type or with more than 4096 characters, in body or cookie', async () => {
      const long = 'x'.repeat(4097);
      for (const challengeToken of [1, [], {}, '', long]) {
        expect((await answer({ code: '123456', challengeToken })).status).to.equal(400);
      }
      const reply = await answer({ code: '123456' }, { cookie: `mfa_pending=${long}` });
      expectProblem(reply, 400, 'validation-failed', ['challengeToken: text.tooLong']);
    });

    it('returns 401 for a wrong code, and the challenge stays valid', async () => {
      const challengeToken = await aChallenge(service, user);
      const reply = await answer({ code: wrongCodeFor(user.secret), challengeToken });
      expectProblem(reply, 401, 'invalid-verification-code');
      expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
      expect(reply.cookies).to.deep.equal([]);
      expect((await answer({ code: codeOf(user.secret), challengeToken })).status).to.equal(200);
    });

    it('returns 401 without any challenge, with and without a code', async () => {
      expectInvalidChallenge(await answer({ code: codeOf(user.secret) }));
      expectInvalidChallenge(await answer({}));
    });

    it('returns 401 for an unknown challenge, and clears the cookie', async () => {
      const reply = await answer({ code: codeOf(user.secret), challengeToken: 'never-issued' });
      expectInvalidChallenge(reply);
      expect(reply.cookies).to.deep.equal([clearedChallenge]);
    });
  });

  describe('a session with a second factor', () => {
    it('is marked in the list of sessions', async () => {
      const user = await aTwoFactorUser(service);
      const second = await logInTwice(user);
      const sessions = (await second.get('/api/users/me/sessions')).json() as {
        current: boolean;
        twoFactor: boolean;
      }[];
      expect(sessions.map(({ current, twoFactor }) => ({ current, twoFactor }))).to.deep.equal([
        { current: true, twoFactor: true },
        { current: false, twoFactor: false },
      ]);
    });

    it('is required in an organization that enforces it: returns 403 without one', async () => {
      const owner = await aTwoFactorUser(service);
      const member = await aMember(service, owner, 'viewer');
      const organization = `/api/organizations/${owner.organization}`;
      expect((await owner.patch(organization, { enforceTwoFactor: true })).status).to.equal(200);
      expectProblem(await member.get(organization), 403, 'two-factor-required');
      expect((await owner.get(organization)).status).to.equal(200);
      const { secret } = await beginSetup(member);
      expect((await member.post('/api/2fa/confirm', { code: codeOf(secret) })).status).to.equal(200);
      expect((await member.get(organization)).status).to.equal(200);
    });

    it('is announced to its owner by mail when enabled, used with a recovery code, renewed and disabled', async () => {
      const user = await aTwoFactorUser(service);
      await answer({ code: user.recoveryCodes[0], challengeToken: await aChallenge(service, user) });
      await user.post('/api/2fa/recovery-codes', { code: user.recoveryCodes[1] });
      await user.post('/api/2fa/disable', { code: codeOf(user.secret) });
      const subjects: (string | undefined)[] = [];
      for (let mail = 0; mail < 4; mail += 1) subjects.push((await service.mails.nextMailTo(user.email)).subject);
      expect(new Set(subjects)).to.have.property('size', 4);
    });
  });
});
