import { expect } from 'chai';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { FaultyProvider, type Mistakes } from './support/faulty-provider.ts';
import { corp, errorOf, federated, someSecrets, valueOf } from './support/flows.ts';

type Brought = Partial<Record<'code' | 'state' | 'iss' | 'error', string | undefined>>;

/** A provider is believed only if everything about its answer is right. */
describe('attest', () => {
  let provider: FaultyProvider;
  before(async () => {
    provider = await FaultyProvider.open();
  });
  beforeEach(() => {
    provider.mistakes = {};
  });
  after(() => provider.close());

  async function attested(mistakes: Mistakes, brought: Brought = {}) {
    provider.mistakes = mistakes;
    const providers = federated(provider.settings());
    const secrets = someSecrets();
    const answer = provider.grant(await valueOf(providers.authorizationUrl(corp, secrets)));
    return { providers, secrets, answer: { ...answer, ...brought } };
  }

  it('believes a provider that does everything right', async () => {
    const { providers, answer, secrets } = await attested({ claims: { given_name: 'Ada', family_name: 'Lovelace' } });
    expect(await valueOf(providers.attest(corp, answer, secrets))).to.deep.equal({
      issuer: provider.issuer,
      subject: 'ada',
      email: 'ada@example.com',
      givenName: 'Ada',
      familyName: 'Lovelace',
      fullName: undefined,
      isMultiFactor: false,
    });
  });

  const inThePast = Math.floor(Date.now() / 1000) - 3600;
  const refused: readonly (readonly [what: string, mistakes: Mistakes, reason: RegExp])[] = [
    ['a wrong iss', { claims: { iss: 'https://evil.example' } }, /iss/],
    ['no iss', { claims: { iss: undefined } }, /iss/],
    ['the aud of another client', { claims: { aud: 'another' } }, /aud/],
    ['no aud', { claims: { aud: undefined } }, /aud/],
    ['several aud and another azp', { claims: { aud: ['zonewright', 'another'], azp: 'another' } }, /azp/],
    ['a wrong nonce', { claims: { nonce: 'of another flow' } }, /nonce/],
    ['no nonce', { claims: { nonce: undefined } }, /nonce/],
    ['an empty sub', { claims: { sub: '' } }, /sub/],
    ['no sub', { claims: { sub: undefined } }, /sub/],
    ['a sub of 256 characters', { claims: { sub: 'x'.repeat(256) } }, /sub/],
    ['a sub that is a number', { claims: { sub: 7 } }, /sub/],
    ['an expired token', { claims: { iat: inThePast, exp: inThePast + 60 } }, /exp/],
    ['a token without exp', { claims: { exp: undefined } }, /exp/],
    ['a token that is not valid yet', { claims: { nbf: inThePast + 7200 } }, /nbf/],
    ['alg none', { idToken: ({ claims }) => new UnsecuredJWT(claims).encode() }, /alg/],
    [
      'alg none, which the metadata admit',
      {
        metadata: { id_token_signing_alg_values_supported: ['none', 'ES256'] },
        idToken: ({ claims }) => new UnsecuredJWT(claims).encode(),
      },
      /unsupported/,
    ],
    [
      'a signature by another key with the same id',
      {
        idToken: async ({ claims }) => {
          const [header = ''] = (await provider.sign(claims)).split('.');
          const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly kid: string };
          const { privateKey } = await generateKeyPair('ES256');
          return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
        },
      },
      /signature/,
    ],
    [
      'a token whose claims were changed',
      {
        idToken: async ({ claims }) => {
          const [header, , signature] = (await provider.sign(claims)).split('.');
          const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'grace' })).toString('base64url');
          return [header, changed, signature].join('.');
        },
      },
      /signature/,
    ],
    [
      'a signature by the client secret, which the metadata admit',
      {
        metadata: { id_token_signing_alg_values_supported: ['HS256', 'ES256'] },
        idToken: ({ claims }) =>
          new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('a secret')),
      },
      /unsupported/,
    ],
    ['an unknown key', { idToken: ({ claims }) => provider.sign(claims, { kid: 'unknown' }) }, /key/],
    ['no ID token', { idToken: () => '' }, /id_token|ID Token|invalid/i],
    ['userinfo of somebody else', { claims: { email: undefined }, userinfo: { sub: 'grace' } }, /sub/],
  ];
  for (const [what, mistakes, reason] of refused) {
    it(`refuses ${what}`, async () => {
      const { providers, answer, secrets } = await attested(mistakes);
      const refusal = await errorOf(providers.attest(corp, answer, secrets));
      expect(refusal.type).to.equal('AttestationRefused');
      expect(refusal.reason).to.match(reason);
    });
  }

  const substituted: readonly (readonly [what: string, brought: Brought])[] = [
    ['the state of another flow', { state: someSecrets().state }],
    ['no state', { state: undefined }],
    ['the iss of another provider, as in a mix-up', { iss: 'https://evil.example' }],
    ['no iss of a provider that always sends it', { iss: undefined }],
    ['no code', { code: undefined }],
    ['the code of another flow', { code: 'stolen' }],
  ];
  for (const [what, brought] of substituted) {
    it(`refuses ${what}`, async () => {
      const { providers, answer, secrets } = await attested({}, brought);
      expect((await errorOf(providers.attest(corp, answer, secrets))).type).to.equal('AttestationRefused');
    });
  }

  it('refuses a code that was redeemed before', async () => {
    const { providers, answer, secrets } = await attested({});
    await valueOf(providers.attest(corp, answer, secrets));
    const refusal = await errorOf(providers.attest(corp, answer, secrets));
    expect(refusal).to.deep.equal({ type: 'AttestationRefused', reason: 'token: invalid_grant' });
  });

  it('refuses a stolen code of a provider that accepts it twice: the nonce is that of another flow', async () => {
    const { providers, answer, secrets } = await attested({ acceptsReplays: true });
    const { codeVerifier } = secrets;
    const refusal = await errorOf(
      providers.attest(corp, answer, { ...secrets, codeVerifier, nonce: someSecrets().nonce }),
    );
    expect(refusal.reason).to.match(/nonce/);
  });

  it('refuses a code with the verifier of another flow', async () => {
    const { providers, answer, secrets } = await attested({});
    const { codeVerifier } = someSecrets();
    const refusal = await errorOf(providers.attest(corp, answer, { ...secrets, codeVerifier }));
    expect(refusal).to.deep.equal({ type: 'AttestationRefused', reason: 'token: invalid_grant' });
  });

  for (const [said, reason] of [
    ['access_denied', 'access_denied'],
    ['<script>', 'unknown error'],
  ] as const) {
    it(`reports that the provider let nobody in and says ${said}`, async () => {
      const { providers, answer, secrets } = await attested({}, { code: undefined, error: said });
      expect(await errorOf(providers.attest(corp, answer, secrets))).to.deep.equal({ type: 'SignInDeclined', reason });
    });
  }

  it('refuses metadata of another issuer', async () => {
    provider.mistakes = { metadata: { issuer: 'http://127.0.0.1:1' } };
    const providers = federated(provider.settings());
    expect((await errorOf(providers.authorizationUrl(corp, someSecrets()))).type).to.equal('ProviderUnavailable');
  });
});
