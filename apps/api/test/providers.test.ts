import { attestationRefused, providerUnavailable } from '@zonewright/core';
import { aProvider, type ScriptedProviders, scriptedProviders } from '@zonewright/memory';
import { expect } from 'chai';
import { aVerifiedUser, type User, unique } from './support/arrange.ts';
import { type Client, clientOf, cookieValue, expectProblem, type Reply } from './support/client.ts';
import { changeRows, changeUser, type MemoryService, openMemoryService } from './support/memory-service.ts';
import { codeOf, type SetupData } from './support/two-factor.ts';

const flowCookie = '__Host-sign_in_flow';
const redirectUri = 'https://app.example/callback';
const anAddress = () => `person${unique()}@example.com`;

type Answer = Parameters<ScriptedProviders['codeFor']>[0];

/** The member of an organization that the account owns. */
interface Owned {
  readonly token: string;
}

describe('Sign-in by a provider', () => {
  const providers = scriptedProviders([aProvider('corp', { redirectUris: [redirectUri] }), aProvider('school')]);
  let service: MemoryService;
  let browser: Client;

  before(async () => {
    service = await openMemoryService({}, undefined, providers);
    browser = clientOf(service.url);
  });
  after(() => service.close());

  const start = (query = '?returnTo=/explain', provider = 'corp') =>
    browser.get(`/api/auth/providers/${provider}/start${query}`);
  const location = ({ headers }: Reply) => headers.get('location') ?? '';

  /** The return of a browser that has begun a flow; some of it may be changed. */
  async function comeBack(
    answer: Answer,
    { begun, at = 'corp', cookies = '' }: { begun?: Reply; at?: string; cookies?: string } = {},
  ): Promise<Reply> {
    const started = begun ?? (await start());
    const url = location(started) || (started.json() as { readonly url: string }).url;
    const query = new URLSearchParams({
      code: providers.codeFor(answer),
      state: new URL(url).searchParams.get('state') ?? '',
      session_state: 'ignored',
    });
    const cookie = `${flowCookie}=${cookieValue(started, flowCookie)}; ${cookies}`;
    const headers = { cookie, 'sec-fetch-site': 'cross-site' };
    return browser.get(`/api/auth/providers/${at}/callback?${query.toString()}`, headers);
  }
  const someone = (email = anAddress()) => ({ subject: `subject-${unique()}`, email: email as never });
  const signedIn = (reply: Reply): Client & Owned => {
    expect([reply.status, location(reply)]).to.deep.equal([303, '/explain']);
    const token = cookieValue(reply, '__Host-access_token');
    return { token, ...clientOf(service.url, { authorization: `Bearer ${token}` }) };
  };
  const problemOf = (reply: Reply) => {
    expect(reply.status).to.equal(303);
    expect(reply.cookies.find((each) => each.startsWith(flowCookie))).to.include('Max-Age=0');
    return location(reply).replace('/sign-in#problem=', '');
  };

  describe('GET /api/auth/providers', () => {
    it('returns 200 with ids and names, and nothing else', async () => {
      const reply = await browser.get('/api/auth/providers');
      expect(reply.json()).to.deep.equal([
        { id: 'corp', name: 'CORP' },
        { id: 'school', name: 'SCHOOL' },
      ]);
    });
  });

  describe('GET /api/auth/providers/{id}/start', () => {
    it('returns 303 for the provider, and keeps the flow in one encrypted cookie for ten minutes', async () => {
      const reply = await start();
      expect([reply.status, new URL(location(reply)).origin]).to.deep.equal([303, 'https://corp.example']);
      expect(reply.headers.get('cache-control')).to.equal('no-store');
      const [cookie = '', ...others] = reply.cookies;
      expect(others).to.deep.equal([]);
      expect(cookie).to.match(
        /^__Host-sign_in_flow=v1\.[\w.-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(cookie).not.to.include(new URL(location(reply)).searchParams.get('state'));
      expect(cookie.length).to.be.below(4096);
    });

    it('returns 400 for a returnTo that is no path of this origin', async () => {
      const paths = ['//evil.example', '/\\evil.example', '/%09/evil.example', 'https://evil.example', '', '/a%0d%0ab'];
      for (const path of paths) {
        expectProblem(await start(`?returnTo=${path}`), 400, 'invalid-query', ['returnTo: returnTo.path']);
      }
      const long = `?returnTo=/${'a'.repeat(1000)}`;
      expectProblem(await start(long), 400, 'invalid-query', ['returnTo: text.tooLong']);
    });

    it('returns 404 for a provider that is not configured', async () => {
      for (const provider of ['unknown', 'No_Id']) expectProblem(await start('', provider), 404, 'not-found');
    });

    it('returns 405 for HEAD, as does the callback', async () => {
      for (const path of ['start', 'callback']) {
        const reply = await browser.head(`/api/auth/providers/corp/${path}`);
        expect([reply.status, reply.headers.get('allow')]).to.deep.equal([405, 'GET, OPTIONS']);
      }
    });
  });

  describe('GET /api/auth/providers/{id}/callback', () => {
    it('returns 303 for returnTo with the cookies of a login, and clears the flow', async () => {
      const reply = await comeBack(someone());
      expect(reply.cookies.map((cookie) => cookie.split('=')[0])).to.deep.equal([
        flowCookie,
        '__Host-access_token',
        '__Secure-refresh_token',
      ]);
      const me = signedIn(reply);
      const profile = (await me.get('/api/users/me')).json();
      expect(profile).to.include({ hasPassword: false, emailVerified: true });
      expect(profile).to.deep.include({ connectedProviders: ['corp'] });
    });

    it('returns 303 for /sign-in#challenge with mfa_pending if the account has a second factor', async () => {
      const answer = someone();
      const me = signedIn(await comeBack(answer));
      const { secret } = (await me.post('/api/2fa/setup')).json() as SetupData;
      expect((await me.post('/api/2fa/confirm', { code: codeOf(secret, -1) })).status).to.equal(200);
      const reply = await comeBack(answer);
      expect(location(reply)).to.equal('/sign-in#challenge');
      const challengeToken = cookieValue(reply, 'mfa_pending');
      const completed = await browser.post('/api/auth/2fa', { challengeToken, code: codeOf(secret) });
      expect(completed.status, completed.text).to.equal(200);
    });

    const refusals: readonly (readonly [slug: string, come: () => Promise<Reply>])[] = [
      ['provider-unavailable', () => comeBack(providerUnavailable('no answer in time'))],
      ['provider-refused', () => comeBack(attestationRefused('unexpected JWT claim value encountered: "nonce"'))],
      ['no-verified-address', () => comeBack({ subject: 'nobody' })],
      ['account-exists', async () => comeBack(someone((await aVerifiedUser(service)).email))],
      ['flow-invalid', () => comeBack(someone(), { at: 'school' })],
      ['flow-invalid', () => browser.get('/api/auth/providers/corp/callback?code=a&state=b')],
      ['not-found', () => browser.get('/api/auth/providers/unknown/callback?code=a&state=b')],
      ['invalid-query', () => browser.get('/api/auth/providers/corp/callback?code=a&state=b&state=c')],
    ];
    for (const [slug, come] of refusals) {
      it(`returns 303 for /sign-in#problem=${slug}, with one line in the log`, async () => {
        const before = service.log.length;
        const reply = await come();
        expect(problemOf(reply)).to.equal(slug === 'not-found' ? 'flow-invalid' : slug);
        const lines = service.log.slice(before).filter(({ status }) => status === 303);
        expect(lines.filter(({ route }) => String(route).endsWith('callback'))).to.have.length(1);
      });
    }

    it('returns 303 for /sign-in#problem=inactive for a blocked account', async () => {
      const answer = someone();
      const me = signedIn(await comeBack(answer));
      const { id } = (await me.get('/api/users/me')).json() as { readonly id: string };
      changeUser(service, id, { active: false });
      expect(problemOf(await comeBack(answer))).to.equal('inactive');
    });

    it('says in the log why an answer was refused, and nothing of what it contained', async () => {
      const before = service.log.length;
      await comeBack(attestationRefused('unexpected JWT claim value encountered: "nonce"'));
      const line = service.log.slice(before).find(({ refusal }) => refusal !== undefined);
      expect(line?.['refusal']).to.equal('provider-refused: unexpected JWT claim value encountered: "nonce"');
    });
  });

  describe('POST /api/auth/providers/{id}/token', () => {
    const tokenPath = '/api/auth/providers/corp/token';
    const grantOf = (answer: Answer) => ({
      code: providers.codeFor(answer),
      codeVerifier: 'verifier',
      redirectUri,
      nonce: 'nonce',
    });

    it('returns 200 like a login', async () => {
      const grant = grantOf(someone());
      const reply = await browser.post(tokenPath, grant);
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.have.keys('token', 'refreshToken');
      expectProblem(await browser.post(tokenPath, grant), 400, 'flow-invalid');
    });

    const refusals: readonly (readonly [status: number, slug: string, answer: Answer])[] = [
      [401, 'provider-refused', attestationRefused('token: invalid_grant')],
      [503, 'provider-unavailable', providerUnavailable('status 502')],
      [403, 'no-verified-address', { subject: 'nobody' }],
    ];
    for (const [status, slug, answer] of refusals) {
      it(`answers ${status} ${slug}`, async () => {
        expectProblem(await browser.post(tokenPath, grantOf(answer)), status, slug);
      });
    }

    it('returns 400 for an address that is not registered', async () => {
      const grant = { ...grantOf(someone()), redirectUri: 'https://evil.example/' };
      expectProblem(await browser.post(tokenPath, grant), 400, 'validation-failed', [
        'redirectUri: provider.redirectUri',
      ]);
    });
  });

  describe('/api/users/me/providers', () => {
    let ada: User;
    beforeEach(async () => {
      ada = await aVerifiedUser(service);
    });
    const ownPath = '/api/users/me/providers';
    async function linked(user: User, answer = someone()): Promise<Reply> {
      const begun = await user.post(`${ownPath}/corp/start`, { returnTo: '/explain' });
      expect(begun.status, begun.text).to.equal(200);
      return comeBack(answer, { begun, cookies: `__Host-access_token=${user.token}` });
    }
    const list = async (user: Client) => (await user.get(ownPath)).json() as { readonly id: string }[];

    it('links an identity, which changes the entity tag of the profile', async () => {
      const tag = (await ada.get('/api/users/me')).headers.get('etag');
      expect(location(await linked(ada))).to.equal('/explain');
      const [identity, ...others] = await list(ada);
      expect(others).to.deep.equal([]);
      expect(identity).to.include({ provider: 'corp', name: 'CORP' }).and.have.property('connectedAt');
      const profile = await ada.get('/api/users/me');
      expect(profile.headers.get('etag')).not.to.equal(tag);
      expect(profile.json()).to.deep.include({ connectedProviders: ['corp'], hasPassword: true });
    });

    it('refuses an identity of another account, and a second one of the provider', async () => {
      const answer = someone();
      await linked(await aVerifiedUser(service), answer);
      expect(problemOf(await linked(ada, answer))).to.equal('identity-taken');
      await linked(ada);
      expect(problemOf(await linked(ada))).to.equal('provider-already-linked');
    });

    it('unlinks an identity with 204, and refuses the last credential with 409', async () => {
      await linked(ada);
      const [{ id } = { id: '' }] = await list(ada);
      expect((await ada.delete(`${ownPath}/${id}`)).status).to.equal(204);
      expectProblem(await ada.delete(`${ownPath}/${id}`), 404, 'not-found');
      const me = signedIn(await comeBack(someone()));
      const [last = { id: '' }] = await list(me);
      expectProblem(await me.delete(`${ownPath}/${last.id}`), 409, 'last-credential');
    });

    it('returns 403 confirmation-required in a session that was not confirmed lately', async () => {
      const me = signedIn(await comeBack(someone()));
      const [last = { id: '' }] = await list(me);
      service.inTables(({ sessions }) => {
        for (const [id, row] of sessions) sessions.set(id, { ...row, confirmedAt: new Date(0) });
      });
      const refused = await me.delete(`${ownPath}/${last.id}`);
      expectProblem(refused, 403, 'confirmation-required');
      expect(refused.json()).to.deep.include({ methods: ['provider'] });
    });
  });

  describe('requiredProvider of an organization', () => {
    it('returns 403 for sessions that did not come from it, and 409 to an owner without it', async () => {
      const owner = await aVerifiedUser(service);
      const path = `/api/organizations/${owner.organization}`;
      expectProblem(await owner.patch(path, { requiredProvider: 'school' }), 409, 'own-provider-missing');
      service.inTables(({ organizations }) =>
        changeRows(organizations, (_, id) => id === owner.organization, { requiredProvider: 'corp' as never }),
      );
      const refused = await owner.get(`${path}/members`);
      expectProblem(refused, 403, 'provider-required');
      expect(refused.json()).to.include({ provider: 'corp' });
    });
  });
});
