import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { ProviderSettings } from '../src/index.ts';
import { corp, errorOf, federated, someSecrets, valueOf } from './support/flows.ts';

const ada = { id: 42, login: 'ada', name: 'Ada Lovelace' };
const addresses = [
  { email: 'old@example.com', primary: false, verified: true },
  { email: 'ada@example.com', primary: true, verified: true },
];

describe('GitHub', () => {
  let server: Server;
  let issuer: string;
  let answers: Record<string, { readonly status?: number; readonly json: unknown }>;
  const redeemed: URLSearchParams[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const [path = '', query] = (request.url ?? '').split('?');
    const pageSize = Number(new URLSearchParams(query).get('per_page') ?? 30);
    if (path === '/login/oauth/access_token') redeemed.push(new URLSearchParams(body));
    const isPermitted = !path.startsWith('/api/') || request.headers.authorization === 'Bearer gho_token';
    const refusal = { status: isPermitted ? 404 : 401, json: {} };
    const { status = 200, json } = (isPermitted ? answers[path] : undefined) ?? refusal;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(Array.isArray(json) ? json.slice(0, pageSize) : json));
  }

  before(async () => {
    server = createServer((request, response) => void serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A listening TCP server has an address with a port.
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    redeemed.length = 0;
    answers = {
      '/login/oauth/access_token': { json: { access_token: 'gho_token', token_type: 'bearer', scope: 'user:email' } },
      '/api/v3/user': { json: ada },
      '/api/v3/user/emails': { json: addresses },
    };
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  const settings = (): ProviderSettings => {
    const client = { clientId: 'zonewright', clientSecret: 'a secret' };
    return { id: 'corp', name: 'GitHub', kind: 'github', issuer, ...client };
  };
  const signIn = (brought: { readonly state?: string } = {}) => {
    const providers = federated(settings());
    const secrets = someSecrets();
    return providers.attest(corp, { code: 'code', state: secrets.state, ...brought }, secrets);
  };

  it('begins a flow with PKCE and state', async () => {
    const url = new URL(await valueOf(federated(settings()).authorizationUrl(corp, someSecrets())));
    expect(`${url.origin}${url.pathname}`).to.equal(`${issuer}/login/oauth/authorize`);
    expect([...url.searchParams.keys()]).to.include.members(['state', 'code_challenge', 'redirect_uri']);
    expect(url.searchParams.get('scope')).to.equal('read:user user:email');
  });

  it('attests the id, the name, and the primary address if it is verified', async () => {
    expect(await valueOf(signIn())).to.deep.equal({
      issuer,
      subject: '42',
      email: 'ada@example.com',
      fullName: 'Ada Lovelace',
      isMultiFactor: false,
    });
    expect(redeemed[0]?.get('code_verifier')).to.match(/^[\w-]{43}$/);
  });

  it('finds the primary address behind many others', async () => {
    const others = Array.from({ length: 40 }, (_, index) => ({
      email: `${index}@example.org`,
      primary: false,
      verified: true,
    }));
    answers['/api/v3/user/emails'] = { json: [...others, ...addresses] };
    expect(await valueOf(signIn())).to.include({ email: 'ada@example.com' });
  });

  it('attests no address if the primary one is not verified', async () => {
    answers['/api/v3/user/emails'] = { json: addresses.map((each) => ({ ...each, verified: !each.primary })) };
    expect(await valueOf(signIn())).to.include({ email: undefined });
  });

  for (const [what, path, answer] of [
    ['a refused code', '/login/oauth/access_token', { json: { error: 'bad_verification_code' } }],
    ['a user without id', '/api/v3/user', { json: { login: 'ada' } }],
    ['an API that refuses the token', '/api/v3/user', { status: 401, json: {} }],
    ['addresses that are none', '/api/v3/user/emails', { json: { message: 'Not Found' } }],
  ] as const) {
    it(`refuses ${what}`, async () => {
      answers[path] = answer;
      expect((await errorOf(signIn())).type).to.equal('AttestationRefused');
    });
  }

  it('refuses the state of another flow', async () => {
    expect((await errorOf(signIn({ state: someSecrets().state }))).type).to.equal('AttestationRefused');
    expect(redeemed).to.deep.equal([]);
  });

  it('is unavailable while its API fails', async () => {
    answers['/api/v3/user'] = { status: 502, json: {} };
    expect((await errorOf(signIn())).type).to.equal('ProviderUnavailable');
  });
});
