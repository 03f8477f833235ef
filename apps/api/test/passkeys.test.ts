import { maxPasskeys } from '@zonewright/core';
import { expect } from 'chai';
import type { SoftwareAuthenticator } from '../../../packages/passkeys/test/software-authenticator.ts';
import { aVerifiedUser, type Tokens, type User } from './support/arrange.ts';
import { type Client, clientOf, expectProblem, type Reply } from './support/client.ts';
import { changeRows, type MemoryService, openMemoryService } from './support/memory-service.ts';
import {
  addPasskey,
  anAuthenticator,
  aPasskeyDraft,
  optionsFrom,
  type PasskeyBody,
  passkeysPath,
  signatureOf,
  signInByPasskey,
} from './support/passkeys.ts';
import { aChallenge, codeOf, enableTwoFactor, enforceTwoFactor, forgetSteps } from './support/two-factor.ts';

const listOf = async (user: Client) => (await user.get(passkeysPath)).json() as readonly PasskeyBody[];

describe('Passkeys', () => {
  let service: MemoryService;
  let anonymous: Client;

  before(async () => {
    service = await openMemoryService();
    anonymous = clientOf(service.url);
  });
  after(() => service.close());

  const clientWith = ({ token }: Pick<Tokens, 'token'>) => clientOf(service.url, { authorization: `Bearer ${token}` });
  const tokensOf = (reply: Reply): Tokens => {
    expect(reply.status, reply.text).to.equal(200);
    return reply.json() as Tokens;
  };
  const sign = (authenticator: SoftwareAuthenticator, wrong?: Parameters<typeof signatureOf>[2]) =>
    signatureOf(service.url, authenticator, wrong);
  const signIn = async (...signing: Parameters<typeof sign>) => signInByPasskey(service.url, await sign(...signing));
  /** All sessions of the user were confirmed long ago. */
  const outlastConfirmation = ({ id }: User) =>
    service.inTables(({ sessions }) =>
      changeRows(sessions, ({ userId }) => userId === id, { confirmedAt: new Date(0) }),
    );
  const actionsOf = ({ id }: User) =>
    service.inTables(({ auditLog }) =>
      [...auditLog.values()].filter(({ actor }) => actor === id).map(({ action }) => action),
    );
  const changeUser = (user: User, changes: object) =>
    service.inTables(({ users }) => changeRows(users, ({ id }) => id === user.id, changes));

  describe('management', () => {
    it('adds, lists, renames and deletes a passkey, and tells the owner', async () => {
      const user = await aVerifiedUser(service);
      const draft = await aPasskeyDraft(user);
      const reply = await user.post(passkeysPath, { ...draft, name: ' Laptop ' });
      expect(reply.status, reply.text).to.equal(201);
      const { id, createdAt, ...rest } = reply.json() as PasskeyBody;
      expect(rest).to.deep.equal({ name: 'Laptop', backedUp: false, transports: ['internal', 'hybrid'] });
      expect(reply.headers.get('location')).to.equal(`${passkeysPath}/${id}`);
      expect(await listOf(user)).to.deep.equal([{ id, createdAt, ...rest }]);
      expect((await service.mails.nextMailTo(user.email)).subject).to.include('passkey was added');
      const renamed = await user.patch(`${passkeysPath}/${id}`, { name: 'Old laptop' });
      expect(renamed.json()).to.deep.equal({ id, createdAt, ...rest, name: 'Old laptop' });
      expect((await user.patch(`${passkeysPath}/${id}`, {})).json()).to.include({ name: 'Old laptop' });
      expect((await user.delete(`${passkeysPath}/${id}`)).status).to.equal(204);
      expect((await service.mails.nextMailTo(user.email)).subject).to.include('passkey was removed');
      expect(await listOf(user)).to.deep.equal([]);
      expect(actionsOf(user)).to.include.members(['passkey.added', 'passkey.renamed', 'passkey.removed']);
    });

    it('asks for a discoverable passkey that the authenticator does not have, and names none to strangers', async () => {
      const user = await aVerifiedUser(service);
      const { authenticator } = await addPasskey(user);
      const options = await optionsFrom(user, `${passkeysPath}/options`);
      expect(options).to.have.nested.property('excludeCredentials[0].id', authenticator.credentialId);
      expect(options).to.have.nested.property('authenticatorSelection.residentKey', 'required');
      expect(await optionsFrom(anonymous, '/api/auth/passkey/options')).not.to.have.property('allowCredentials');
    });

    it('is for the owner only: passkeys of others do not exist', async () => {
      const { passkey } = await addPasskey(await aVerifiedUser(service));
      const other = await aVerifiedUser(service);
      const path = `${passkeysPath}/${passkey.id}`;
      expectProblem(await other.patch(path, { name: 'Mine' }), 404, 'not-found');
      expectProblem(await other.delete(path), 404, 'not-found');
    });

    it('needs a confirmed session, which a passkey confirms', async () => {
      const user = await aVerifiedUser(service);
      const draft = await aPasskeyDraft(user);
      const { authenticator, passkey } = await addPasskey(user);
      outlastConfirmation(user);
      for (const refused of [
        await user.post(`${passkeysPath}/options`),
        await user.post(passkeysPath, draft),
        await user.post(passkeysPath, {}),
        await user.delete(`${passkeysPath}/${passkey.id}`),
      ]) {
        expectProblem(refused, 403, 'confirmation-required');
        expect(refused.json()).to.have.property('methods').that.deep.equals(['password', 'passkey']);
      }
      const response = authenticator.get(await optionsFrom(user, '/api/auth/confirm/options'));
      expect((await user.post('/api/auth/confirm', { response })).status).to.equal(204);
      expect((await user.delete(`${passkeysPath}/${passkey.id}`)).status).to.equal(204);
    });

    it('refuses a second use of the response, a known credential, a wrong response and nonsense', async () => {
      const user = await aVerifiedUser(service);
      const draft = await aPasskeyDraft(user);
      expect((await user.post(passkeysPath, draft)).status).to.equal(201);
      expectProblem(await user.post(passkeysPath, draft), 422, 'passkey-refused');
      const authenticator = anAuthenticator(service.url);
      expect((await user.post(passkeysPath, await aPasskeyDraft(user, authenticator))).status).to.equal(201);
      const again = await user.post(passkeysPath, await aPasskeyDraft(user, authenticator));
      expectProblem(again, 422, 'validation-failed', ['response: passkey.duplicate']);
      const unverified = await aPasskeyDraft(user, undefined, { rk: false });
      expectProblem(await user.post(passkeysPath, unverified), 422, 'passkey-refused');
      expectProblem(await user.post(passkeysPath, { name: '', response: {} }), 422, 'validation-failed', [
        'name: text.tooShort',
        'response.id: member.required',
        'response.rawId: member.required',
        'response.type: member.required',
        'response.response: member.required',
      ]);
    });

    it(`allows ${maxPasskeys} passkeys, and no options for more`, async () => {
      const user = await aVerifiedUser(service);
      const spare = await aPasskeyDraft(user);
      for (let count = 0; count < maxPasskeys; count += 1) await addPasskey(user);
      const limit = [': passkey.limit'];
      expectProblem(await user.post(`${passkeysPath}/options`), 422, 'validation-failed', limit);
      expectProblem(await user.post(passkeysPath, spare), 422, 'validation-failed', limit);
    });

    it('keeps the last credential, and the second factor that an organization requires', async () => {
      const user = await aVerifiedUser(service);
      const { passkey } = await addPasskey(user);
      const path = `${passkeysPath}/${passkey.id}`;
      enforceTwoFactor(service, user);
      expectProblem(await user.delete(path), 403, 'two-factor-enforced');
      const { secret } = await enableTwoFactor(service, user);
      changeUser(user, { passwordHash: undefined });
      expectProblem(await user.delete(path), 409, 'last-credential');
      changeUser(user, { passwordHash: 'plain:Secret123' });
      expect((await user.delete(path)).status).to.equal(204);
      expectProblem(await user.post('/api/2fa/disable', { code: codeOf(secret) }), 403, 'two-factor-enforced');
    });
  });

  describe('sign-in', () => {
    it('opens a session with two factors, without a further challenge', async () => {
      const user = await aVerifiedUser(service);
      const { authenticator } = await addPasskey(user);
      await enableTwoFactor(service, user);
      const reply = await signIn(authenticator);
      const session = clientWith(tokensOf(reply));
      expect(reply.cookies.map((cookie) => cookie.split('=')[0])).to.deep.equal([
        '__Host-access_token',
        '__Secure-refresh_token',
      ]);
      const [current] = (await session.get('/api/users/me/sessions')).json() as readonly object[];
      expect(current).to.include({ current: true, twoFactor: true });
      expect((await listOf(session))[0]).to.have.property('lastUsedAt');
    });

    it('refuses an unknown passkey, a wrong signature and another origin alike, and records the attempts', async () => {
      const user = await aVerifiedUser(service);
      const { authenticator } = await addPasskey(user);
      const stranger = anAuthenticator(service.url);
      const [unknown, wrong] = [await signIn(stranger), await signIn(authenticator, { isForged: true })];
      expectProblem(await signIn(authenticator, { origin: 'https://evil.example' }), 401, 'passkey-refused');
      expectProblem(unknown, 401, 'passkey-refused');
      const { headers: _, ...shown } = unknown;
      const { headers: __, ...alsoShown } = wrong;
      expect(JSON.stringify(alsoShown)).to.equal(JSON.stringify(shown));
      expect(actionsOf(user).filter((action) => action === 'login.failed')).to.have.lengthOf(2);
    });

    it('works once per challenge, also if it failed', async () => {
      const { authenticator } = await addPasskey(await aVerifiedUser(service));
      const options = await optionsFrom(anonymous, '/api/auth/passkey/options');
      expectProblem(
        await signInByPasskey(service.url, authenticator.get(options, { isForged: true })),
        401,
        'passkey-refused',
      );
      expectProblem(await signInByPasskey(service.url, authenticator.get(options)), 401, 'passkey-refused');
      const response = await sign(authenticator);
      expect((await signInByPasskey(service.url, response)).status).to.equal(200);
      expectProblem(await signInByPasskey(service.url, response), 401, 'passkey-refused');
    });

    it('refuses a counter that goes back, records it and tells the owner, but only if the signature is right', async () => {
      const user = await aVerifiedUser(service);
      const { authenticator } = await addPasskey(user);
      await service.mails.nextMailTo(user.email);
      expect((await signIn(authenticator, { counter: 9 })).status).to.equal(200);
      expectProblem(await signIn(authenticator, { counter: 9, isForged: true }), 401, 'passkey-refused');
      expect(actionsOf(user)).not.to.include('passkey.counterWentBack');
      expectProblem(await signIn(authenticator, { counter: 9 }), 401, 'passkey-refused');
      expect(actionsOf(user)).to.include('passkey.counterWentBack');
      expect((await service.mails.nextMailTo(user.email)).subject).to.include('passkey of your account');
      expect((await signIn(authenticator, { counter: 10 })).status).to.equal(200);
    });

    it('reports an inactive account only for a right signature', async () => {
      const user = await aVerifiedUser(service);
      const { authenticator } = await addPasskey(user);
      changeUser(user, { active: false });
      expectProblem(await signIn(authenticator, { isForged: true }), 401, 'passkey-refused');
      expectProblem(await signIn(authenticator), 403, 'account-inactive');
      expect(actionsOf(user)).to.include('login.inactive');
    });

    it('returns 400 for a body without a response', async () => {
      expectProblem(await anonymous.post('/api/auth/passkey', {}), 400, 'validation-failed', [
        'response: member.required',
      ]);
    });
  });

  describe('as a second factor', () => {
    const answer = (body: unknown) => anonymous.post('/api/auth/2fa', body);
    const answering = async (authenticator: SoftwareAuthenticator, challengeToken: string) =>
      answer({
        challengeToken,
        response: authenticator.get(await optionsFrom(anonymous, '/api/auth/2fa/options', { challengeToken })),
      });

    it('answers the challenge that a password gets from then on', async () => {
      const user = await aVerifiedUser(service);
      const { authenticator } = await addPasskey(user);
      const login = (await anonymous.post('/api/auth/login', { email: user.email, password: user.password })).json();
      expect(login).to.deep.include({ mfaRequired: true, methods: ['passkey'] });
      const { challengeToken } = login as { readonly challengeToken: string };
      expectProblem(await answer({ challengeToken, code: '123456' }), 401, 'invalid-verification-code');
      const session = clientWith(tokensOf(await answering(authenticator, challengeToken)));
      const [current] = (await session.get('/api/users/me/sessions')).json() as readonly object[];
      expect(current).to.include({ current: true, twoFactor: true });
      expectProblem(await answer({ challengeToken, code: '123456' }), 401, 'invalid-challenge');
    });

    it('is one of two for an account that also has an authenticator app', async () => {
      const user = await enableTwoFactor(service, await aVerifiedUser(service));
      await addPasskey(user);
      const login = await anonymous.post('/api/auth/login', { email: user.email, password: user.password });
      expect(login.json()).to.deep.include({ methods: ['code', 'passkey'] });
      const { challengeToken } = login.json() as { readonly challengeToken: string };
      expectProblem(
        await answer({ challengeToken, code: codeOf(user.secret), response: {} }),
        400,
        'validation-failed',
        [
          'response.id: member.required',
          'response.rawId: member.required',
          'response.type: member.required',
          'response.response: member.required',
        ],
      );
      await forgetSteps(service, user);
      expect((await answer({ challengeToken, code: codeOf(user.secret) })).status).to.equal(200);
    });

    it('takes exactly one proof', async () => {
      const user = await enableTwoFactor(service, await aVerifiedUser(service));
      const { authenticator } = await addPasskey(user);
      const challengeToken = await aChallenge(service, user);
      const body = { challengeToken, code: codeOf(user.secret), response: await sign(authenticator) };
      expectProblem(await answer(body), 400, 'validation-failed', [': proof.single']);
    });

    it('must be a passkey of the user', async () => {
      const user = await aVerifiedUser(service);
      await addPasskey(user);
      const { authenticator } = await addPasskey(await aVerifiedUser(service));
      expectProblem(await answering(authenticator, await aChallenge(service, user)), 401, 'passkey-refused');
      expect(actionsOf(user)).to.include('challenge.failed');
    });

    it('needs a live challenge', async () => {
      expectProblem(
        await anonymous.post('/api/auth/2fa/options', { challengeToken: 'ended' }),
        401,
        'invalid-challenge',
      );
      expectProblem(await anonymous.post('/api/auth/2fa/options'), 401, 'invalid-challenge');
    });
  });

  it('serves each challenge for its own purpose only', async () => {
    const user = await aVerifiedUser(service);
    const { authenticator } = await addPasskey(user);
    const other = clientWith(tokensOf(await signIn(authenticator)));
    let challengeToken = '';
    const options = {
      registration: () => optionsFrom(user, `${passkeysPath}/options`),
      signIn: () => optionsFrom(anonymous, '/api/auth/passkey/options'),
      challenge: () => optionsFrom(anonymous, '/api/auth/2fa/options', { challengeToken }),
      confirmation: () => optionsFrom(user, '/api/auth/confirm/options'),
      otherConfirmation: () => optionsFrom(other, '/api/auth/confirm/options'),
    };
    type Purpose = keyof typeof options;
    const challengeFor = async (purpose: Purpose) => (await options[purpose]()) as { readonly challenge: string };
    const uses: Partial<Record<Purpose, (of: Purpose) => Promise<Reply>>> = {
      registration: async (of) => {
        const { challenge } = await challengeFor(of);
        const own = await challengeFor('registration');
        const response = anAuthenticator(service.url).create({ ...own, challenge });
        return user.post(passkeysPath, { name: 'Another', response });
      },
      signIn: async (of) => signInByPasskey(service.url, authenticator.get(await challengeFor(of))),
      confirmation: async (of) =>
        user.post('/api/auth/confirm', { response: authenticator.get(await challengeFor(of)) }),
      challenge: async (of) =>
        anonymous.post('/api/auth/2fa', { challengeToken, response: authenticator.get(await challengeFor(of)) }),
    };
    const accepted: string[] = [];
    for (const [as, use] of Object.entries(uses)) {
      for (const of of Object.keys(options)) {
        challengeToken = await aChallenge(service, user);
        if ((await use(of as Purpose)).status < 300) accepted.push(`${of} as ${as}`);
      }
    }
    expect(accepted).to.deep.equal([
      'registration as registration',
      'signIn as signIn',
      'confirmation as confirmation',
      'challenge as challenge',
    ]);
  });
});
