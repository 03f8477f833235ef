import { expect } from 'chai';
import { providerProblems } from '../src/index.ts';
import { FaultyProvider, type Mistakes } from './support/faulty-provider.ts';
import { callbackUrl, corp, errorOf, federated, someSecrets, valueOf } from './support/flows.ts';

describe('federation', () => {
  let provider: FaultyProvider;
  before(async () => {
    provider = await FaultyProvider.open();
  });
  beforeEach(() => {
    provider.mistakes = {};
    provider.requests.length = 0;
  });
  after(() => provider.close());

  /** Completes a flow. */
  function signIn(providers: ReturnType<typeof federated>) {
    const secrets = someSecrets();
    return providers
      .authorizationUrl(corp, secrets)
      .andThen((url) => providers.attest(corp, provider.grant(url), secrets));
  }
  const requestsTo = (path: string) => provider.requests.filter((each) => each === path).length;

  it('begins a flow with PKCE, state and nonce, and sends no secret', async () => {
    const secrets = someSecrets();
    const settings = provider.settings({ acrValues: ['gold', 'silver'], trustMfa: true });
    const url = new URL(await valueOf(federated(settings).authorizationUrl(corp, secrets)));
    const { code_challenge: challenge, ...query } = Object.fromEntries(url.searchParams);
    expect(challenge)
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(secrets.codeVerifier);
    expect(query).to.deep.equal({
      client_id: 'zonewright',
      response_type: 'code',
      redirect_uri: callbackUrl('corp'),
      scope: 'openid email profile',
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge_method: 'S256',
      acr_values: 'gold silver',
    });
  });

  it('takes an issuer with and without its final slash for the same, but no other one', async () => {
    const tenant = `${provider.issuer}/tenant`;
    const problemOf = (issuer: string) => providerProblems([provider.settings({ issuer })], { callbackUrl });
    for (const issuer of [tenant, `${tenant}/`]) {
      provider.mistakes = { metadata: { issuer } };
      expect(await problemOf(tenant)).to.deep.equal([]);
      expect(await problemOf(`${tenant}/`)).to.deep.equal([]);
    }
    provider.mistakes = { metadata: { issuer: `${provider.issuer}/other` } };
    const [problem, ...others] = await problemOf(tenant);
    expect(problem).to.match(/^The provider "corp" cannot be used: http:.*\/tenant: .*issuer/);
    expect(others).to.deep.equal([]);
  });

  it('redeems a code of a flow that a program has run', async () => {
    const providers = federated(provider.settings({ redirectUris: [callbackUrl('corp')] }));
    const secrets = someSecrets();
    const { code } = provider.grant(await valueOf(providers.authorizationUrl(corp, secrets)));
    const grant = { code, codeVerifier: secrets.codeVerifier, nonce: secrets.nonce, redirectUri: callbackUrl('corp') };
    expect(await valueOf(providers.redeem(corp, grant))).to.include({ subject: 'ada' });
    expect((await errorOf(providers.redeem(corp, grant))).type).to.equal('AttestationRefused');
  });

  const addresses: readonly (readonly [what: string, mistakes: Mistakes, email: string | undefined])[] = [
    ['the ID token', {}, 'ada@example.com'],
    ['the ID token, verified in words', { claims: { email_verified: 'true' } }, 'ada@example.com'],
    [
      'the userinfo alone',
      { claims: { email: undefined }, userinfo: { email: 'ada@corp.example', email_verified: true } },
      'ada@corp.example',
    ],
    ['the ID token, unverified', { claims: { email_verified: false } }, undefined],
    [
      'the ID token, verified by the userinfo only for another address',
      { claims: { email_verified: undefined }, userinfo: { email: 'grace@example.com', email_verified: false } },
      undefined,
    ],
    ['nowhere', { claims: { email: undefined } }, undefined],
    ['the ID token, but it is none', { claims: { email: 'ada@localhost' } }, undefined],
  ];
  for (const [where, mistakes, email] of addresses) {
    it(`attests the address ${email ?? 'of nobody'} if there is one in ${where}`, async () => {
      provider.mistakes = mistakes;
      expect(await valueOf(signIn(federated(provider.settings())))).to.include({ email });
    });
  }

  const factors: readonly (readonly [claims: object, trust: object, isMultiFactor: boolean])[] = [
    [{ amr: ['pwd', 'mfa'] }, { trustMfa: true }, true],
    [{ amr: ['pwd', 'mfa'] }, {}, false],
    [{ amr: ['pwd'] }, { trustMfa: true }, false],
    [{ amr: 'mfa' }, { trustMfa: true }, false],
    [{ acr: 'gold' }, { trustMfa: true, acrValues: ['gold'] }, true],
    [{ acr: 'bronze' }, { trustMfa: true, acrValues: ['gold'] }, false],
    [{ acr: 'gold' }, { acrValues: ['gold'] }, false],
  ];
  for (const [claims, trust, isMultiFactor] of factors) {
    it(`counts ${JSON.stringify(claims)} as ${isMultiFactor ? 'two factors' : 'one'} with ${JSON.stringify(trust)}`, async () => {
      provider.mistakes = { claims: { ...claims } };
      expect(await valueOf(signIn(federated(provider.settings(trust))))).to.include({ isMultiFactor });
    });
  }

  it('reads metadata and keys when first needed, and again after an hour', async () => {
    const providers = federated(provider.settings());
    expect(provider.requests).to.deep.equal([]);
    for (let count = 0; count < 3; count += 1) {
      expect((await signIn(providers)).isOk()).to.equal(true);
      providers.pass(10 * 60);
    }
    expect([requestsTo('/.well-known/openid-configuration'), requestsTo('/keys')]).to.deep.equal([1, 1]);
    providers.pass(30 * 60);
    await signIn(providers);
    expect([requestsTo('/.well-known/openid-configuration'), requestsTo('/keys')]).to.deep.equal([2, 2]);
  });

  it('reads the keys again for an unknown one, at most once a minute', async () => {
    const providers = federated(provider.settings());
    await signIn(providers);
    await provider.rotate();
    expect((await signIn(providers)).isErr(), 'within the minute').to.equal(true);
    expect(requestsTo('/keys')).to.equal(1);
    providers.pass(60);
    expect((await signIn(providers)).isOk(), 'after it').to.equal(true);
    provider.mistakes = { idToken: ({ claims }) => provider.sign(claims, { kid: 'unknown' }) };
    providers.pass(60);
    await Promise.all(Array.from({ length: 20 }, () => signIn(providers)));
    expect(requestsTo('/keys')).to.equal(3);
  });

  const away: readonly (readonly [what: string, mistakes: Mistakes, reason: RegExp])[] = [
    ['never answers', { answer: (path) => path === '/token' }, /in time/],
    ['fails', { answer: (path, response) => path === '/token' && response.writeHead(503).end().writableEnded }, /503/],
    ['hangs up', { answer: (path, response) => path === '/token' && response.destroy().destroyed }, /./],
    ['has lost its keys', { answer: (path, response) => path === '/keys' && response.destroy().destroyed }, /./],
  ];
  for (const [what, mistakes, reason] of away) {
    it(`reports a provider that ${what} as unavailable, and asks it again`, async () => {
      provider.mistakes = mistakes;
      // Those that answer may be slow on a busy machine.
      const providers = federated(provider.settings(), what === 'never answers' ? 500 : 5000);
      const refusal = await errorOf(signIn(providers));
      expect(refusal).to.include({ type: 'ProviderUnavailable' });
      expect(refusal.reason).to.match(reason);
      provider.mistakes = {};
      expect((await signIn(providers)).isOk()).to.equal(true);
    });
  }

  it('reports a provider without metadata as unavailable, and asks it again', async () => {
    const providers = federated(provider.settings(), 500);
    for (const answer of [() => true, (_: string, response: { destroy(): unknown }) => !!response.destroy()]) {
      provider.mistakes = { answer };
      const refusal = await errorOf(providers.authorizationUrl(corp, someSecrets()));
      expect(refusal.type).to.equal('ProviderUnavailable');
    }
    provider.mistakes = {};
    expect((await signIn(providers)).isOk()).to.equal(true);
  });

  it('does not read answers without end', async () => {
    provider.mistakes = {
      answer: (path, response) =>
        path === '/token' && response.writeHead(200).end(Buffer.alloc(2_000_000)).writableEnded,
    };
    const refusal = await errorOf(signIn(federated(provider.settings())));
    expect(refusal).to.include({ type: 'AttestationRefused' });
  });
});
