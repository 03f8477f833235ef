import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeConfigError, readProviders } from '../src/index.ts';

const corp = {
  id: 'corp',
  name: 'Example Corp',
  kind: 'oidc',
  issuer: 'https://login.example.com',
  clientId: 'zonewright',
  clientSecret: 'a secret',
};
const github = { ...corp, id: 'github', kind: 'github', issuer: 'https://github.com' };

describe('readProviders', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'providers-'));
    path = join(folder, 'providers.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The providers, or the lines that say what is wrong, with FILE for the path. */
  function read(content: unknown, { production = false, mode = 0o600 } = {}) {
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode });
    return readProviders(path, { production }).match(
      (providers) => providers,
      (errors) => errors.map((error) => describeConfigError(error).replace(JSON.stringify(path), 'FILE')),
    );
  }

  it('reads providers of both kinds with all their options', () => {
    const all = [
      {
        ...corp,
        scopes: ['openid', 'email'],
        trustMfa: true,
        acrValues: ['gold'],
        domains: ['example.com'],
        redirectUris: ['https://app.example.com/callback', 'com.example.app:/callback'],
      },
      github,
    ];
    expect(read(all)).to.deep.equal(all);
  });

  it('has no providers without a file', () => {
    expect(readProviders(undefined, { production: true }).unwrapOr(undefined)).to.deep.equal([]);
  });

  it('admits http for loopback addresses, except in production', () => {
    const local = { ...corp, issuer: 'http://127.0.0.1:9000' };
    expect(read([local])).to.deep.equal([local]);
    const https = 'must use https; http is only for loopback addresses, and not in production';
    expect(read([local], { production: true })).to.deep.equal([`PROVIDERS_FILE: FILE is invalid: [0].issuer ${https}`]);
    expect(read([{ ...corp, issuer: 'http://login.example.com' }])).to.deep.equal([
      `PROVIDERS_FILE: FILE is invalid: [0].issuer ${https}`,
    ]);
  });

  const refused: readonly (readonly [what: string, content: unknown, ...problems: string[]])[] = [
    ['what is not JSON', '[', 'is not JSON'],
    ['what is no list', {}, 'is not a JSON list'],
    ['missing and unknown members', [{ id: 'corp', secret: 'x' }], 'is invalid: [0].name is missing or not a string'],
    ['an unknown member', [{ ...corp, secret: 'x' }], 'has unknown members: "secret"'],
    ['an id with capitals', [{ ...corp, id: 'Corp' }], 'is invalid: [0].id is not 1..32 characters of a-z, 0-9 and -'],
    ['an unknown kind', [{ ...corp, kind: 'saml' }], 'is invalid: [0].kind is not one of oidc and github'],
    [
      'an issuer that is no address',
      [{ ...corp, issuer: 'corp' }],
      'is invalid: [0].issuer is not an http or https address',
    ],
    [
      'an issuer with a query',
      [{ ...corp, issuer: 'https://a.example/?b' }],
      'is invalid: [0].issuer has a query, a fragment or a user',
    ],
    ['an empty secret', [{ ...corp, clientSecret: '' }], 'is invalid: [0].clientSecret is empty'],
    ['scopes without openid', [{ ...corp, scopes: ['email'] }], 'is invalid: [0].scopes lacks openid'],
    ['acrValues without trust', [{ ...corp, acrValues: ['gold'] }], 'is invalid: [0].acrValues needs trustMfa'],
    [
      'trust in GitHub',
      [{ ...github, trustMfa: true }],
      'is invalid: [0].trustMfa is not possible for GitHub, which does not say how somebody signed in',
    ],
    [
      'a domain with capitals',
      [{ ...corp, domains: ['Example.com'] }],
      'is invalid: [0].domains[0] is not a domain in lower case',
    ],
    [
      'a redirect with a fragment',
      [{ ...corp, redirectUris: ['https://a.example/#b'] }],
      'is invalid: [0].redirectUris[0] is not an absolute address without a fragment, in its normal form',
    ],
    ['two of an id', [corp, { ...github, id: 'corp' }], 'is invalid: two providers have the same id'],
    [
      'two of an issuer',
      [corp, { ...corp, id: 'b', issuer: 'https://login.example.com/' }],
      'is invalid: two providers have the same issuer',
    ],
  ];
  for (const [what, content, ...problems] of refused) {
    it(`refuses ${what}, in a line each`, () => {
      expect(read(content)).to.include.members(problems.map((problem) => `PROVIDERS_FILE: FILE ${problem}`));
    });
  }

  it('reports all mistakes at once, and no secret', () => {
    const lines = read([
      { ...corp, clientSecret: 'top\nsecret', id: '' },
      { ...github, domains: [] },
    ]) as string[];
    expect(lines).to.have.length(3);
    expect(lines.join('\n')).not.to.include('top');
  });

  it('refuses a file that others may read, and one that is missing', () => {
    expect(read([corp], { mode: 0o644 })).to.deep.equal([
      'PROVIDERS_FILE: FILE is accessible to other users (run chmod 600)',
    ]);
    const missing = readProviders(join(folder, 'none.json'), { production: false });
    expect(missing.isErr() && missing.error[0]?.problem).to.include('does not exist');
  });
});
