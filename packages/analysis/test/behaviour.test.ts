import { parseConfiguration } from '@zonewright/engine';
import { expect } from 'chai';
import { okOf } from '../../engine/test/outcomes.ts';
import { all, any, documentOf, originServer, type ZoneDraft } from '../../engine/test/zones.ts';
import { behaviourDiff } from '../src/index.ts';

const other = { ...originServer, id: 'origin-2' };
const configurationOf = ({ backends = { originServers: [originServer, other] }, ...draft }: ZoneDraft, users = {}) =>
  okOf(parseConfiguration({ ...documentOf(draft), basicAuthUsers: users }, backends));

const diffOf = (before: ZoneDraft, after: ZoneDraft, budget?: Parameters<typeof behaviourDiff>[2]) =>
  behaviourDiff(configurationOf(before), configurationOf(after), budget);

/** Changes as `key before > after: from > to at target`. */
const lines = (before: ZoneDraft, after: ZoneDraft): readonly string[] => {
  const { complete, harmless, changes } = diffOf(before, after);
  expect({ complete, harmless }).to.deep.equal({ complete: true, harmless: changes.length === 0 });
  return changes.map(({ key, because, from, to, witness }) => {
    const [one, two] = [because.before, because.after].map((each) => each.map(({ id }) => id).join());
    return `${key} ${one}>${two}: ${JSON.stringify(from)} > ${JSON.stringify(to)} at ${witness.target}`;
  });
};

const access = (action: string, set: object, members: object = {}) => ({ action, conditions: set, ...members });
const skip = (set: object, ...skipTargets: readonly string[]) => access('skip', set, { skipTargets });
const rule = (set: object, settingsOverrides: object, stopOnMatch = false) => ({
  conditions: set,
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
const rfc3986 = { pathNormalization: 'rfc3986' };
const a = all('uri starts_with /a');
const b = all('uri ends_with b');
const [nothing, everything] = [{}, all('method not_equals X')];
const backend = (id: string) => ({ defaultBackend: { type: 'origin_server', id } });

const cases: readonly (readonly [name: string, before: ZoneDraft, after: ZoneDraft, expected: readonly string[]])[] = [
  ['nothing', { rules: [rule(a, ttl(1))] }, { rules: [rule(a, ttl(1))] }, []],
  ['a setting', nothing, { settings: ttl(1) }, ['settings.cachingDefaultTtl >: 604800 > 1 at /']],
  [
    'a page of the same size',
    { settings: { customPagesErrorHtml: 'a' } },
    { settings: { customPagesErrorHtml: 'b' } },
    [
      'settings.customPagesErrorHtml >: {"bytes":1,"sha256":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"} > {"bytes":1,"sha256":"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"} at /',
    ],
  ],
  [
    'an override',
    { rules: [rule(a, ttl(1))] },
    { rules: [rule(a, ttl(2))] },
    ['settings.cachingDefaultTtl rule1>rule1: 1 > 2 at /a'],
  ],
  [
    'an override that never counts',
    { rules: [rule(a, ttl(1)), rule(all('uri starts_with /'), ttl(3))] },
    { rules: [rule(a, ttl(2)), rule(all('uri starts_with /'), ttl(3))] },
    [],
  ],
  [
    'a wider condition',
    { rules: [rule(all('uri starts_with /a/'), ttl(1))] },
    { rules: [rule(a, ttl(1))] },
    ['settings.cachingDefaultTtl >rule1: 604800 > 1 at /a'],
  ],
  ['a condition in other words', { rules: [rule(a, ttl(1))] }, { rules: [rule(all('uri matches ^/a'), ttl(1))] }, []],
  [
    'rules that change places and meet',
    { rules: [rule(a, ttl(1)), rule(b, ttl(2))] },
    { rules: [rule(b, ttl(2)), rule(a, ttl(1))] },
    ['settings.cachingDefaultTtl rule2>rule2: 2 > 1 at /ab'],
  ],
  [
    'rules that change places and never meet',
    { rules: [rule(a, ttl(1)), rule(all('uri starts_with /b'), ttl(2))] },
    { rules: [rule(all('uri starts_with /b'), ttl(2)), rule(a, ttl(1))] },
    [],
  ],
  [
    'a rule that stops',
    { rules: [rule(a, ttl(1)), rule(b, ttl(2))] },
    { rules: [rule(a, ttl(1), true), rule(b, ttl(2))] },
    ['settings.cachingDefaultTtl rule2>rule1: 2 > 1 at /ab'],
  ],
  ['a backend of the same content', nothing, { settings: backend('origin-2') }, []],
  [
    'a backend that is gone',
    nothing,
    { settings: backend('gone') },
    ['answer >: {"disposition":"serve"} > {"disposition":"noBackend","status":502} at /'],
  ],
  [
    'content of a backend',
    nothing,
    { backends: { originServers: [{ ...originServer, port: 8443 }] } },
    [
      'backend origin-1>origin-1: {"servers":[{"protocol":"https","address":"origin.example.net","port":443,"requestHostname":null,"weight":1}]} > {"servers":[{"protocol":"https","address":"origin.example.net","port":8443,"requestHostname":null,"weight":1}]} at /',
    ],
  ],
  [
    'a block',
    nothing,
    { access: [access('block', a)] },
    ['answer >access1: {"disposition":"serve"} > {"disposition":"block","status":403} at /a'],
  ],
  [
    'a block behind another',
    { access: [access('block', a)] },
    { access: [access('block', a), access('block', all('uri equals /ab'))] },
    [],
  ],
  [
    'an exception from a block',
    { access: [access('block', a)] },
    { access: [access('allow', b), access('block', a)] },
    ['answer access1>: {"disposition":"block","status":403} > {"disposition":"serve"} at /ab'],
  ],
  [
    'under attack, with an exception',
    { access: [skip(a, 'underAttack')] },
    { access: [skip(a, 'underAttack')], settings: { underAttack: true } },
    [
      'answer >: {"disposition":"serve"} > {"disposition":"challenge","status":403} at /',
      'settings.underAttack >: false > true at /a',
    ],
  ],
  [
    'maintenance by a rule',
    nothing,
    { rules: [rule(a, { customPagesMaintenanceActive: true })] },
    ['answer >rule1: {"disposition":"serve"} > {"disposition":"maintenance","status":503} at /a'],
  ],
  [
    'a redirect to the host of the request in place of one host',
    { rewrites: [rewrite('equals', '/a', 'https://www.example.com/b', redirect)] },
    { rewrites: [rewrite('equals', '/a', 'https://$host/b', redirect)] },
    [
      'answer rewrite1>rewrite1: {"disposition":"redirect","status":301,"location":"https://www.example.com/b"} > {"disposition":"redirect","status":301,"location":"https://a/b"} at /a',
    ],
  ],
  [
    'a redirect',
    { rewrites: [rewrite('equals', '/a', '/b', redirect)] },
    { rewrites: [rewrite('equals', '/a', '/c', redirect)] },
    [
      'answer rewrite1>rewrite1: {"disposition":"redirect","status":301,"location":"/b"} > {"disposition":"redirect","status":301,"location":"/c"} at /a',
    ],
  ],
  [
    'a rewrite',
    nothing,
    { rewrites: [rewrite('starts_with', '/a/', '/b/')] },
    ['request >rewrite1: {"path":"/a/","query":""} > {"path":"/b/","query":""} at /a/'],
  ],
  ['a rewrite to itself', nothing, { rewrites: [rewrite('equals', '/a', '/a')] }, []],
  [
    'a rewrite to itself that merges slashes',
    { settings: rfc3986 },
    { settings: rfc3986, rewrites: [rewrite('starts_with', '/', '/')] },
    ['request >rewrite1: {"path":"//","query":""} > {"path":"/","query":""} at //'],
  ],
  ['a rewrite to itself of merged slashes', nothing, { rewrites: [rewrite('starts_with', '/', '/')] }, []],
  ['a rule that no path matches', nothing, { access: [access('block', all('uri contains %2f'))] }, []],
  [
    'how paths are read',
    nothing,
    { settings: rfc3986 },
    [
      'answer >: {"disposition":"rejected","status":400} > {"disposition":"serve"} at /\\',
      'request >: {"path":"/","query":""} > {"path":"//","query":""} at //',
      'settings.pathNormalization >: "strict" > "rfc3986" at //',
    ],
  ],
  [
    'how paths are read, and so by what rules match',
    { settings: rfc3986, access: [access('block', a)], rewrites: [rewrite('starts_with', '/b/', '/c/')] },
    { access: [access('block', a)], rewrites: [rewrite('starts_with', '/b/', '/c/')] },
    [
      'answer >: {"disposition":"serve"} > {"disposition":"rejected","status":400} at /\\',
      'answer >access1: {"disposition":"serve"} > {"disposition":"block","status":403} at //a',
      'answer access1>: {"disposition":"block","status":403} > {"disposition":"rejected","status":400} at /a\\',
      'request >: {"path":"//","query":""} > {"path":"/","query":""} at //',
      'request >rewrite1: {"path":"//b/","query":""} > {"path":"/c/","query":""} at //b/',
      'request rewrite1>rewrite1: {"path":"/c//","query":""} > {"path":"/c/","query":""} at /b//',
      'settings.pathNormalization >: "rfc3986" > "strict" at /b//',
    ],
  ],
  [
    'a rule behind a rewrite',
    { rewrites: [rewrite('starts_with', '/a/', '/b/')] },
    { rewrites: [rewrite('starts_with', '/a/', '/b/')], rules: [rule(all('uri equals /a/c'), ttl(1))] },
    [],
  ],
  [
    'a rule for what a rewrite gives',
    { access: [access('block', all('uri equals /b/c'))], rewrites: [rewrite('starts_with', '/a/', '/b/')] },
    {
      access: [access('block', all('uri equals /b/c'))],
      rewrites: [rewrite('starts_with', '/a/', '/b/')],
      rules: [rule(all('uri equals /b/c'), ttl(1))],
    },
    ['settings.cachingDefaultTtl >rule1: 604800 > 1 at /a/c'],
  ],
  [
    'what is spared',
    { access: [skip(a, 'waf')] },
    { access: [skip(a, 'waf', 'ipLists')] },
    ['skips access1>access1: ["waf"] > ["waf","ipLists"] at /a'],
  ],
  [
    'scenarios',
    { scenarios: [{ filter: a, actionTtl: 1 }] },
    { scenarios: [{ filter: a, actionTtl: 2 }] },
    [
      `scenarios scenario1>scenario1: ${JSON.stringify([{ filter: a, actionTtl: 1 }])} > ${JSON.stringify([{ filter: a, actionTtl: 2 }])} at /a`,
    ],
  ],
  [
    'scenarios, where they run in both',
    { scenarios: [{ filter: b }], rules: [rule(all('method equals GET'), { enabled: false })] },
    { scenarios: [{ filter: everything }, { filter: b }] },
    [
      'settings.enabled rule1>: false > true at /',
      `scenarios >scenario1: [] > ${JSON.stringify([{ filter: everything }])} at /`,
      `scenarios >scenario1,scenario2: [] > ${JSON.stringify([{ filter: everything }, { filter: b }])} at /b`,
      `scenarios scenario1>scenario1,scenario2: ${JSON.stringify([{ filter: b }])} > ${JSON.stringify([{ filter: everything }, { filter: b }])} at /b`,
    ],
  ],
  [
    'names, ids and what is disabled',
    { rules: [rule(a, ttl(1))] },
    {
      rules: [
        { ...rule(b, ttl(1)), enabled: false },
        { ...rule(a, ttl(1)), name: 'New' },
      ],
    },
    [],
  ],
];

describe('behaviour of two configurations', () => {
  for (const [name, before, after, expected] of cases) {
    it(`differs by ${name}`, () => expect(lines(before, after)).to.deep.equal(expected));
  }

  it('is summarized in one sentence', () => {
    const [one, two] = [rule(a, ttl(1)), rule(all('uri starts_with /b'), ttl(2))];
    const zone = configurationOf({ rules: [one, two] });
    const sentences = [
      behaviourDiff(zone, { ...zone, configurationRules: zone.configurationRules.toReversed() }),
      diffOf({}, {}),
      diffOf({}, { settings: ttl(1) }),
      diffOf({}, { settings: { ...ttl(1), minifyHtml: true } }),
      diffOf({}, { rules: [one] }, { question: 1, answer: 1 }),
    ].map(({ message }) => message);
    expect(sentences).to.deep.equal([
      'The new order makes no difference to any request. This is proven.',
      'No request is treated differently. This is proven.',
      'Exactly one kind of request is treated differently. This is proven.',
      'Exactly 2 kinds of requests are treated differently. This is proven.',
      'No difference was found, but the analysis ran out of budget before it could rule out all of them.',
    ]);
    expect(diffOf({}, { rules: [one] }).changes[0]?.message).to.equal(
      'Requests such as GET https://www.example.com/a get cachingDefaultTtl: 1 (the rule “rule 1”) instead of 604800.',
    );
  });

  it('names the allowed users', () => {
    const zone = { settings: { basicAuth: { enabled: true, allowedUserIds: [] } } };
    const [one, two] = [{ u1: { username: 'b' } }, { u1: { username: 'b' }, u2: { username: 'a' } }];
    const { complete, changes } = behaviourDiff(configurationOf(zone, one), configurationOf(zone, two));
    expect(complete).to.equal(true);
    expect(changes.map(({ key, from, to }) => ({ key, from, to }))).to.deep.equal([
      { key: 'basicAuthUsers', from: ['b'], to: ['a', 'b'] },
    ]);
  });

  for (const [pattern, target, witness] of [
    ['^/old/(.*)$', '/new/$1', '/new/x'],
    ['^/user/([^/]+)', '/profile/$1', '/profile/x'],
    ['^/([a-z]+)', '/section/$1', '/x'],
  ] as const) {
    it(`follows the rewriting of ${pattern} to ${target}`, () => {
      const rewrites = [rewrite('regex', pattern, target)];
      const draft = (value: number) => ({
        rewrites,
        rules: [rule(all(`uri equals ${target.replace('$1', 'x')}`), ttl(value))],
      });
      expect(lines(draft(1), draft(2)).map((line) => line.replace(/.* at /, ''))).to.deep.equal([witness]);
      expect(diffOf({ rewrites }, nothing).complete).to.equal(true);
    });
  }

  it('knows that a rewrite changes nothing', () => {
    expect(
      lines({ rewrites: [rewrite('equals', '/b', '/b', { preserveQueryString: false })] }, nothing),
    ).to.have.length(1);
    const kept = { preserveQueryString: true };
    expect(lines({ rewrites: [rewrite('equals', '/b', '/b', kept)] }, nothing)).to.deep.equal([]);
    expect(lines({ rewrites: [rewrite('regex', '^/b/(.*)$', '/b/$1', kept)] }, nothing)).to.deep.equal([]);
  });

  it('lists at most 50 kinds', () => {
    const rules = Array.from({ length: 60 }, (_, at) => rule(all(`uri contains ${at}x`), ttl(at)));
    const { complete, changes } = diffOf({ rules }, { rules: [...rules, rule(everything, ttl(99))] });
    expect({ complete, listed: changes.length }).to.deep.equal({ complete: false, listed: 50 });
  });

  it('compares what rules do, however they are written', () =>
    expect(
      lines(
        { access: [access('block', any('uri equals /a', 'uri equals /b'))] },
        { access: [access('block', all('uri in /a\n/b'))] },
      ),
    ).to.deep.equal([]));
});
