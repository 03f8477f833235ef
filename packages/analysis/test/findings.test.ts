import { parseConfiguration } from '@zonewright/engine';
import { expect } from 'chai';
import { okOf } from '../../engine/test/outcomes.ts';
import { all, any, documentOf, originServer, type ZoneDraft } from '../../engine/test/zones.ts';
import { findings } from '../src/index.ts';

const findingsOf = (draft: ZoneDraft, budget?: Parameters<typeof findings>[1]) =>
  findings(okOf(parseConfiguration(documentOf(draft), { originServers: [originServer] })), budget);

/** A finding as `code rules members because`, plus `!` if it has a witness. */
const lines = (draft: ZoneDraft): readonly string[] => {
  const { complete, findings: found } = findingsOf(draft);
  expect(complete).to.equal(true);
  return found.map(({ code, rules, because, missing, witness }) =>
    [code, ...rules.map(({ id }) => id), because?.map(({ id }) => id).join(), missing?.join(), witness && '!']
      .filter(Boolean)
      .join(' '),
  );
};

const block = (...texts: readonly string[]) => ({ action: 'block', conditions: all(...texts) });
const skip = (conditions: object) => ({ action: 'skip', skipTargets: ['waf'], conditions });
const rule = (conditions: object, settingsOverrides: object = {}, stopOnMatch = false) => ({
  conditions,
  settingsOverrides,
  stopOnMatch,
});
const ttl = (cachingDefaultTtl: number) => ({ cachingDefaultTtl });
const rewrite = (operator: string, sourcePattern: string, target: string, members: object = {}) => ({
  operator,
  sourcePattern,
  target,
  ...members,
});
const redirect = { type: 'redirect', statusCode: 301 };
const first = { imageOptimizationPngQualityMin: 90 };
const second = { imageOptimizationPngQualityMax: 80 };

const cases: readonly (readonly [name: string, draft: ZoneDraft, expected: readonly string[]])[] = [
  ['nothing', {}, []],
  [
    'conditions that clash',
    { access: [block('uri equals /a', 'ip in 10.0.0.0/8', 'uri equals /b')] },
    ['rule.neverMatches access1'],
  ],
  [
    'options that are all impossible',
    { access: [skip(any('uri ends_with /.', 'uri matches a^b'))] },
    ['rule.neverMatches access1'],
  ],
  ['a source that no path has', { rewrites: [rewrite('regex', '^/[.][.]/', '/a')] }, ['rule.neverMatches rewrite1']],
  [
    'conditions that always hold',
    { access: [skip(any('uri starts_with /', 'method equals OPTIONS'))] },
    ['rule.alwaysMatches access1'],
  ],
  ['a beginning that all have but the asterisk-form', { access: [skip(all('uri starts_with /'))] }, []],
  [
    'a rule behind one',
    { access: [block('uri starts_with /a'), block('uri equals /a/b')] },
    ['rule.unreachable access2 access1 access1 !'],
  ],
  [
    'a rule behind two',
    {
      access: [
        block('ip in 10.0.0.0/9'),
        block('method equals PUT'),
        block('ip in 10.128.0.0/9'),
        block('ip in 10.0.0.0/8'),
      ],
    },
    ['rule.unreachable access4 access1 access3 access1,access3 !'],
  ],
  ['a rule behind one that does not stop', { access: [skip(all('uri starts_with /a')), block('uri equals /a/b')] }, []],
  [
    'a rewrite behind one',
    { rewrites: [rewrite('starts_with', '/a', '/b'), rewrite('regex', '^/a/.*c$', '/d')] },
    ['rule.unreachable rewrite2 rewrite1 rewrite1 !'],
  ],
  [
    'a rule behind one that is never reached',
    { rules: [rule(all('uri equals /a'), {}, true), rule(all('uri equals /a'), {}, true), rule(all('uri equals /a'))] },
    ['rule.unreachable rule2 rule1 rule1 !', 'rule.unreachable rule3 rule1 rule1 !'],
  ],
  [
    'equal rules',
    {
      scenarios: [
        { filter: all('host in a.example,b.example') },
        { filter: any('host equals b.example', 'host equals a.example') },
      ],
    },
    ['rule.equal scenario2 scenario1 !'],
  ],
  [
    'equal rules in other words',
    { access: [skip(all('uri matches ^/a/b')), skip(all('uri starts_with /a/b'))] },
    ['rule.equal access2 access1 !'],
  ],
  [
    'a value that is always replaced',
    { rules: [rule(all('uri equals /a/b'), ttl(1)), rule(all('uri starts_with /a'), ttl(2))] },
    ['override.dead rule1 rule2 rule2 !'],
  ],
  [
    'a value that is replaced by two',
    {
      rules: [
        rule(all('ip in 10.0.0.0/8'), ttl(1)),
        rule(all('ip not_in 10.0.0.0/9'), ttl(2)),
        rule(all('ip in 10.0.0.0/9'), ttl(3)),
      ],
    },
    ['override.dead rule1 rule2 rule3 rule2,rule3 !'],
  ],
  [
    'a value that is kept by a rule that stops',
    {
      rules: [
        rule(all('uri equals /a/b'), ttl(1)),
        rule(all('method equals PUT'), {}, true),
        rule(all('uri starts_with /a'), ttl(2)),
      ],
    },
    [],
  ],
  [
    'values that do not fit',
    { rules: [rule(all('uri starts_with /a'), first), rule(all('uri ends_with b'), second)] },
    ['settings.contradiction rule2 rule1 !'],
  ],
  [
    'headers that do not fit',
    {
      rules: [
        rule(all('uri starts_with /a'), { headersResponseSet: [{ name: 'X-A', value: '1' }] }),
        rule(all('method equals PUT'), { headersResponseRemove: ['x-a'] }),
      ],
    },
    ['settings.contradiction rule2 rule1 !'],
  ],
  [
    'values that never meet',
    { rules: [rule(all('uri starts_with /a'), first), rule(all('uri starts_with /b'), second)] },
    [],
  ],
  [
    'values that are replaced before they meet',
    {
      rules: [
        rule(all('uri starts_with /a'), first),
        rule(all('method not_equals X'), { imageOptimizationPngQualityMin: 1 }),
        rule(all('method not_equals X'), second),
      ],
    },
    ['rule.equal rule3 rule2 !'],
  ],
  [
    'two redirects in a circle',
    { rewrites: [rewrite('equals', '/a', '/b', redirect), rewrite('equals', '/b', '/a', redirect)] },
    ['redirect.loop rewrite1 rewrite2 !'],
  ],
  [
    'a redirect below itself',
    { rewrites: [rewrite('starts_with', '/a', '/a/a', redirect)] },
    ['redirect.loop rewrite1 !'],
  ],
  [
    'a redirect to one host',
    { rewrites: [rewrite('starts_with', '/', 'https://shop.example.com', redirect)] },
    ['redirect.loop rewrite1 !'],
  ],
  [
    'a redirect to the host of the request',
    { rewrites: [rewrite('starts_with', '/', 'https://$host', redirect)] },
    ['redirect.loop rewrite1 !'],
  ],
  [
    'a redirect of http to the host of the request',
    {
      rewrites: [rewrite('starts_with', '/', 'https://$host', { ...redirect, conditions: all('scheme equals http') })],
    },
    [],
  ],
  [
    'a redirect of http',
    {
      rewrites: [
        rewrite('starts_with', '/', 'https://shop.example.com', { ...redirect, conditions: all('scheme equals http') }),
      ],
    },
    [],
  ],
  [
    'a rule for an address that is rewritten',
    { rewrites: [rewrite('starts_with', '/old', '/new')], rules: [rule(all('uri starts_with /old/'), ttl(1))] },
    ['rule.hiddenByRewrite rule1 rewrite1 rewrite1 !'],
  ],
  [
    'a rule for an address that is rewritten to itself',
    { rewrites: [rewrite('starts_with', '/old', '/old/new')], rules: [rule(all('uri starts_with /old/'), ttl(1))] },
    [],
  ],
  [
    'content that the cache key does not tell apart',
    {
      settings: { cachingDynamicEnabled: true },
      rules: [
        rule(all('cookie:beta exists'), { minifyHtml: true }),
        rule(all('host equals b.example'), { minifyHtml: true }),
      ],
    },
    ['cacheKey.hazard rule1 cookie:beta !'],
  ],
  [
    'content that the cache key tells apart',
    {
      settings: { cachingDynamicEnabled: true, cachingDynamicCacheKey: { varyByCookie: ['beta'] } },
      rules: [rule(all('cookie:beta exists'), { minifyHtml: true })],
    },
    [],
  ],
  [
    'content of static objects by scheme, which keys have',
    { settings: { cachingStaticEnabled: true }, rules: [rule(all('scheme equals http'), { backendPortOverride: 80 })] },
    [],
  ],
  [
    'paths that no request has once slashes are merged and ambiguous paths refused',
    {
      access: [block('uri starts_with //a'), block('uri contains %2f'), block('url equals https://a.b//c')],
      rewrites: [rewrite('regex', '//', '/a')],
      rules: [rule(all('uri starts_with /..;'))],
    },
    ['access1', 'access2', 'access3', 'rewrite1', 'rule1'].map((id) => `rule.neverMatches ${id}`),
  ],
  [
    'a rule for an ambiguous path that only a rewrite yields',
    {
      rewrites: [rewrite('equals', '/a', '/b%2Fc')],
      rules: [rule(all('uri contains %2f')), rule(all('uri contains //'))],
    },
    ['rule.neverMatches rule2'],
  ],
  [
    'rules that protect what other paths lead to',
    {
      settings: { pathNormalization: 'rfc3986' },
      access: [
        block('ip in 192.0.2.0/24', 'uri starts_with /a'),
        block('queryParam:p exists'),
        skip(all('path starts_with //b')),
        { ...block('uri equals /c'), enabled: false },
        block('uri equals /d', 'uri equals /e'),
      ],
      rules: [
        rule(all('extension equals php'), { basicAuth: { enabled: true } }),
        rule(all('url contains /a'), { securityEnabled: false }),
        rule(all('uri equals /a'), { customPagesMaintenanceActive: true }),
        rule(all('uri equals /b'), ttl(5)),
      ],
    },
    [
      'rule.neverMatches access5',
      ...['access1', 'access3', 'rule1', 'rule2', 'rule3'].map((id) => `path.ambiguous ${id}`),
    ],
  ],
  ['disabled rules', { access: [{ ...block('uri starts_with /a'), enabled: false }, block('uri equals /a/b')] }, []],
];

describe('findings', () => {
  for (const [name, draft, expected] of cases) {
    it(`of ${name}`, () => expect(lines(draft)).to.deep.equal(expected));
  }

  it('have paths, rules, a witness and a stable id', () => {
    const draft = {
      access: [
        block('uri equals /a', 'ip in 10.0.0.0/8', 'uri equals /b'),
        block('uri equals /c'),
        block('uri equals /c'),
      ],
    };
    const [never, covered] = findingsOf(draft).findings;
    expect(never?.members).to.deep.equal([
      'accessRules.items.access1.conditions.conditions[0]',
      'accessRules.items.access1.conditions.conditions[2]',
    ]);
    expect(never?.message).to.contain('“access 1”');
    expect(covered?.witness).to.deep.equal({
      scheme: 'https',
      authority: 'www.example.com',
      target: '/c',
      method: 'GET',
      ip: '192.0.2.1',
      country: 'DE',
      asn: 64_500,
    });
    expect(covered?.id)
      .to.match(/^[0-9a-f]{32}$/)
      .and.to.equal(findingsOf(draft).findings[1]?.id);
  });

  it('have no witness if no request reaches the rule', () => {
    const draft = {
      access: [block('method not_equals X'), block('method equals X')],
      rules: [rule(all('uri equals /a'), ttl(1)), rule(all('uri starts_with /a'), ttl(2))],
    };
    expect(lines(draft)).to.deep.equal(['override.dead rule1 rule2 rule2']);
  });

  it('are undecided once the budget is spent', () => {
    const { complete, findings: found } = findingsOf(
      { access: [block('uri matches ^/(a|b)*a(a|b){12}$', 'uri matches ^/(a|b)*b(a|b){12}$')] },
      { question: 100, answer: 1000 },
    );
    expect(complete).to.equal(false);
    expect(found[0]).to.deep.include({ code: 'rule.neverMatches', verdict: 'undecided', members: [] });
  });
});
