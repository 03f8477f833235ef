import { expect } from 'chai';
import { aMember, aVerifiedUser, join, logIn, type Tokens, type User } from './support/arrange.ts';
import { type Client, clientOf, cookieValue, expectProblem, type Reply } from './support/client.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';
import {
  aChallenge,
  aTwoFactorUser,
  beginSetup,
  codeOf,
  enforceTwoFactor,
  forgetSteps,
  recoveryCodesIn,
  type TwoFactorUser,
  wrongCodeFor,
} from './support/two-factor.ts';

const recoveryCode = /^[0-9A-HJKMNP-TV-Z]{6}(-[0-9A-HJKMNP-TV-Z]{6}){3}$/;
const isEnabled = async (user: User) =>
  ((await user.get('/api/users/me')).json() as { readonly twoFactorEnabled: boolean }).twoFactorEnabled;

/** Bodies without a valid code: 400 wherever a code is expected. */
const badBodies: readonly (readonly [what: string, body: unknown])[] = [
  ['a missing code', {}],
  ['an empty code', { code: '' }],
  ['a number as code', { code: 123456 }],
  ['a list as code', { code: ['123456'] }],
  ['null as code', { code: null }],
  ['a code of 65 characters', { code: '1'.repeat(65) }],
  ['a body that is not an object', []],
];

/** Strings that are nobody's valid code. */
const wrongCodes: readonly (readonly [what: string, code: (secret: string) => string])[] = [
  ['a wrong code', wrongCodeFor],
  ['a code from two minutes ago', (secret) => codeOf(secret, -4)],
  ['a code of two minutes from now', (secret) => codeOf(secret, 4)],
  ['a code with a sign', (secret) => `+${codeOf(secret)}`],
  [
    'digits of another script',
    (secret) => codeOf(secret).replace(/./g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ],
  ['an unknown recovery code', () => '000000-000000-000000-000000'],
  ['text', () => 'let me in'],
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
    it('answers 200 with exactly a secret, its URI and a QR code, never stored', async () => {
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

    it('answers 200 while pending, with a new secret that replaces the old one', async () => {
      const user = await aVerifiedUser(service);
      const first = await beginSetup(user);
      const second = await beginSetup(user);
      expect(second.secret).not.to.equal(first.secret);
      expectProblem(
        await user.post('/api/2fa/confirm', { code: codeOf(first.secret) }),
        422,
        'invalid-verification-code',
      );
      expect((await user.post('/api/2fa/confirm', { code: codeOf(second.secret) })).status).to.equal(200);
    });
  });

  describe('POST /api/2fa/confirm', () => {
    const confirm = (user: User, code: unknown) => user.post('/api/2fa/confirm', { code });

    it('answers 200 with ten recovery codes, and enables the second factor', async () => {
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

    it('answers 422 to an invalid code, and stays pending', async () => {
      const user = await aVerifiedUser(service);
      const { secret } = await beginSetup(user);
      for (const [what, code] of wrongCodes) {
        const reply = await confirm(user, code(secret));
        expect(reply.status, what).to.equal(422);
        expectProblem(reply, 422, 'invalid-verification-code');
      }
      expect(await isEnabled(user)).to.equal(false);
      expect((await confirm(user, codeOf(secret))).status).to.equal(200);
    });

    it('answers 409 while disabled, when the setup is older than 15 minutes, and while enabled', async () => {
      const user = await aVerifiedUser(service);
      expectProblem(await confirm(user, '123456'), 409, 'two-factor-not-pending');
      const { secret } = await beginSetup(user);
      service.inTables(({ twoFactors }) =>
        changeRows(twoFactors, (_, id) => id === user.id, { pendingUntil: new Date(0) }),
      );
      expectProblem(await confirm(user, codeOf(secret)), 409, 'two-factor-not-pending');
      const again = await beginSetup(user);
      expect((await confirm(user, codeOf(again.secret))).status).to.equal(200);
      await forgetSteps(service, user);
      expectProblem(await confirm(user, codeOf(again.secret)), 409, 'two-factor-not-pending');
    });
  });

  describe('POST /api/2fa/disable', () => {
    const disable = (user: User, code: unknown) => user.post('/api/2fa/disable', { code });

    it('answers 200 with a message to a TOTP code, and disables the second factor', async () => {
      const user = await aTwoFactorUser(service);
      const reply = await disable(user, codeOf(user.secret));
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.have.all.keys('message');
      expect(await isEnabled(user)).to.equal(false);
      expect(await logIn(service, user)).to.have.all.keys('token', 'refreshToken');
    });

    it('answers 422 to an invalid code, and stays enabled', async () => {
      const user = await aTwoFactorUser(service);
      for (const [what, code] of wrongCodes) {
        expect((await disable(user, code(user.secret))).status, what).to.equal(422);
      }
      expect(await isEnabled(user)).to.equal(true);
    });

    it('answers 403 while an organization of the user enforces it, without using up the code', async () => {
      const owner = await aVerifiedUser(service);
      const user = await aTwoFactorUser(service);
      await join(service, user, owner.organization, 'viewer');
      enforceTwoFactor(service, owner);
      const code = codeOf(user.secret);
      expectProblem(await disable(user, code), 403, 'two-factor-enforced');
      expectProblem(await disable(user, user.recoveryCodes[0]), 403, 'two-factor-enforced');
      expect((await user.get('/api/users/me')).json()).to.include({ twoFactorEnabled: true, twoFactorEnforced: true });
      enforceTwoFactor(service, owner, false);
      expect((await disable(user, code)).status).to.equal(200);
    });

    it('answers 409 while disabled and while pending', async () => {
      const user = await aVerifiedUser(service);
      expectProblem(await disable(user, '123456'), 409, 'two-factor-not-enabled');
      const { secret } = await beginSetup(user);
      expectProblem(await disable(user, codeOf(secret)), 409, 'two-factor-not-enabled');
    });
  });

  describe('POST /api/2fa/recovery-codes', () => {
    const replace = (user: User, code: unknown) => user.post('/api/2fa/recovery-codes', { code });

    it('answers 200 with ten new codes to a TOTP code, and invalidates the old ones', async () => {
      const user = await aTwoFactorUser(service);
      const reply = await replace(user, codeOf(user.secret));
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      const fresh = recoveryCodesIn(reply);
      expect(new Set([...fresh, ...user.recoveryCodes])).to.have.property('size', 20);
      expect((await replace(user, user.recoveryCodes[0])).status).to.equal(422);
      expect((await user.post('/api/2fa/disable', { code: fresh[0] })).status).to.equal(200);
    });

    it('answers 422 to an invalid code, and the codes stay valid', async () => {
      const user = await aTwoFactorUser(service);
      for (const [what, code] of wrongCodes) {
        expect((await replace(user, code(user.secret))).status, what).to.equal(422);
      }
      expect((await user.post('/api/2fa/disable', { code: user.recoveryCodes[0] })).status).to.equal(200);
    });

    it('answers 409 while disabled and while pending', async () => {
      const user = await aVerifiedUser(service);
      expectProblem(await replace(user, '123456'), 409, 'two-factor-not-enabled');
      const { secret } = await beginSetup(user);
      expectProblem(await replace(user, codeOf(secret)), 409, 'two-factor-not-enabled');
    });
  });

  for (const path of ['/api/2fa/confirm', '/api/2fa/disable', '/api/2fa/recovery-codes']) {
    describe(`POST ${path}`, () => {
      let user: User;
      before(async () => {
        user = await aVerifiedUser(service);
      });

      for (const [what, body] of badBodies) {
        it(`answers 400 to ${what}`, async () => {
          expect((await user.post(path, body)).status).to.equal(400);
        });
      }

      it('answers 400 to malformed JSON, and names a missing code', async () => {
        const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' };
        expectProblem(await anonymous.send('POST', path, { headers, body: '{"code":' }), 400, 'malformed-body');
        expectProblem(await user.post(path, {}), 400, 'validation-failed', ['code: member.required']);
      });
    });
  }

  describe('POST /api/auth/login of a two-factor account', () => {
    it('answers 200 with exactly mfaRequired and a challenge, without a session', async () => {
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

    it('answers 401 to a wrong password as for any other account', async () => {
      const user = await aTwoFactorUser(service);
      const reply = await anonymous.post('/api/auth/login', { email: user.email, password: 'wrong' });
      expectProblem(reply, 401, 'invalid-credentials');
      expect(reply.cookies).to.deep.equal([]);
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

    it('answers 200 with exactly the tokens, sets them as cookies and clears the challenge', async () => {
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

    it('answers 200 to the challenge in the cookie', async () => {
      const login = await anonymous.post('/api/auth/login', { email: user.email, password: user.password });
      const cookie = `mfa_pending=${cookieValue(login, 'mfa_pending')}`;
      expect((await answer({ code: codeOf(user.secret) }, { cookie })).status).to.equal(200);
    });

    it('prefers the challenge in the body to the cookie', async () => {
      const challengeToken = await aChallenge(service, user);
      const cookie = 'mfa_pending=another';
      expect((await answer({ code: codeOf(user.secret), challengeToken }, { cookie })).status).to.equal(200);
    });

    it('answers 403 to the challenge in the cookie from a page of another site', async () => {
      const cookie = `mfa_pending=${await aChallenge(service, user)}`;
      const code = codeOf(user.secret);
      const foreign = { cookie, origin: 'https://evil.example' };
      expectProblem(await answer({ code }, foreign), 403, 'foreign-origin');
      expect((await answer({ code }, { cookie, origin: 'https://app.example.com' })).status).to.equal(200);
    });

    it('answers 200 to a recovery code in any spelling, and 401 the second time', async () => {
      const [first = '', second = ''] = user.recoveryCodes;
      const typed = ` ${second.toLowerCase().replaceAll('-', ' ')}`;
      expect((await answer({ code: first, challengeToken: await aChallenge(service, user) })).status).to.equal(200);
      expect((await answer({ code: typed, challengeToken: await aChallenge(service, user) })).status).to.equal(200);
      for (const code of [first, second]) {
        const reply = await answer({ code, challengeToken: await aChallenge(service, user) });
        expectProblem(reply, 401, 'invalid-verification-code');
      }
    });

    for (const [what, body] of badBodies.filter(([, body]) => !Array.isArray(body))) {
      it(`answers 400 to ${what}`, async () => {
        const challengeToken = await aChallenge(service, user);
        expectProblem(await answer({ ...(body as object), challengeToken }), 400, 'validation-failed', [
          what.startsWith('a missing') ? 'code: member.required' : expectedViolation(what),
        ]);
      });
    }

    it('answers 400 to a missing code with the cookie, and to malformed JSON', async () => {
      const cookie = `mfa_pending=${await aChallenge(service, user)}`;
      expectProblem(await answer({}, { cookie }), 400, 'validation-failed', ['code: member.required']);
      const headers = { cookie, 'content-type': 'application/json' };
      expectProblem(await anonymous.send('POST', '/api/auth/2fa', { headers, body: '{' }), 400, 'malformed-body');
    });

    it('answers 400 to a challenge of another type or with more than 4096 characters, in body or cookie', async () => {
      const long = 'x'.repeat(4097);
      for (const challengeToken of [1, [], {}, '', long]) {
        expect((await answer({ code: '123456', challengeToken })).status).to.equal(400);
      }
      const reply = await answer({ code: '123456' }, { cookie: `mfa_pending=${long}` });
      expectProblem(reply, 400, 'validation-failed', ['challengeToken: text.tooLong']);
    });

    for (const [what, code] of wrongCodes) {
      it(`answers 401 to ${what}, and the challenge stays valid`, async () => {
        const challengeToken = await aChallenge(service, user);
        const reply = await answer({ code: code(user.secret), challengeToken });
        expectProblem(reply, 401, 'invalid-verification-code');
        expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
        expect(reply.cookies).to.deep.equal([]);
        expect((await answer({ code: codeOf(user.secret), challengeToken })).status).to.equal(200);
      });
    }

    it('answers 401 without any challenge, with and without a code', async () => {
      expectInvalidChallenge(await answer({ code: codeOf(user.secret) }));
      expectInvalidChallenge(await answer({}));
    });

    it('answers 401 to an unknown challenge, and clears the cookie', async () => {
      const reply = await answer({ code: codeOf(user.secret), challengeToken: 'never-issued' });
      expectInvalidChallenge(reply);
      expect(reply.cookies).to.deep.equal([clearedChallenge]);
    });

    it('answers 401 to the right code after five attempts', async () => {
      const challengeToken = await aChallenge(service, user);
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const reply = await answer({ code: wrongCodeFor(user.secret), challengeToken });
        expectProblem(reply, 401, 'invalid-verification-code');
      }
      expectInvalidChallenge(await answer({ code: codeOf(user.secret), challengeToken }));
      const next = await aChallenge(service, user);
      expect((await answer({ code: codeOf(user.secret), challengeToken: next })).status).to.equal(200);
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

    it('is required in an organization that enforces it: 403 without, 200 with', async () => {
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

const expectedViolation = (what: string): string => {
  if (what.startsWith('an empty')) return 'code: text.tooShort';
  return what.includes('65') ? 'code: text.tooLong' : 'code: member.type';
};
