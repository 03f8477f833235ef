import { expect } from 'chai';
import * as fc from 'fast-check';
import { defaultSettings, parseConfiguration } from '../../src/index.ts';
import { errorOf, okOf } from '../outcomes.ts';

type Members = Record<string, unknown>;
const problemsOf = (document: unknown, backends: unknown = {}) =>
  errorOf(parseConfiguration(document, backends)).map(({ path, code }) => `${path} ${code}`);
const zone = (members: Members) => ({ zone_settings: {}, ...members });
const one = (rule: Members) => ({ order: ['r'], items: { r: { name: 'R', ...rule } } });
const leaf = (members: Members) =>
  zone({ accessRules: one({ action: 'allow', conditions: { logic: 'and', conditions: [members] } }) });
const at = 'accessRules.items.r.conditions';

describe('parseConfiguration', () => {
  it('fills in defaults', () => {
    const { settings, rewriteRules, backends } = okOf(
      parseConfiguration(
        zone({
          rewriteRules: one({ operator: 'equals', sourcePattern: '/a', target: '/b', statusCode: null }),
          name: 'x',
        }),
        {},
      ),
    );
    expect(settings).to.deep.equal(defaultSettings);
    expect(rewriteRules).to.deep.equal([
      {
        id: 'r',
        name: 'R',
        enabled: true,
        operator: 'equals',
        sourcePattern: '/a',
        target: '/b',
        type: 'rewrite',
        statusCode: 302,
        preserveQueryString: true,
        conditions: null,
      },
    ]);
    expect(backends.originServers.size + backends.loadBalancers.size).to.equal(0);
  });

  it('keeps the order of rules, and treats null as absent', () => {
    const items = { a: { name: 'A' }, b: { name: 'B' } };
    const conditions = { logic: 'ANY', conditions: [{ field: 'method', operator: 'is', target: null, value: 'GET' }] };
    const rules = Object.fromEntries(
      Object.entries(items).map(([id, item]) => [
        id,
        { ...item, conditions, settingsOverrides: { defaultBackend: null } },
      ]),
    );
    const document = {
      zone_settings: { backendPortOverride: null },
      configurationRules: { order: ['b', 'a'], items: rules },
    };
    const { configurationRules, settings } = okOf(parseConfiguration(document, {}));
    expect(configurationRules.map(({ id, settingsOverrides }) => [id, settingsOverrides])).to.deep.equal([
      ['b', {}],
      ['a', {}],
    ]);
    expect(configurationRules[0]?.conditions).to.deep.equal({
      logic: 'or',
      leaves: [{ field: 'method', operator: 'is', target: '', value: 'GET' }],
    });
    expect(settings.backendPortOverride).to.equal(null);
  });

  const refused: readonly (readonly [document: unknown, problems: readonly string[], backends?: unknown])[] = [
    [null, [' member.type']],
    [{}, ['zone_settings member.required']],
    [{ zone_settings: [] }, ['zone_settings member.type']],
    [zone({ zone_settings: { x: 1, enabled: null } }), ['zone_settings.enabled member.type']],
    [zone({ zone_settings: { cachingDefaultTtl: 1.5 } }), ['zone_settings.cachingDefaultTtl member.type']],
    [
      zone({ zone_settings: { headersResponseSet: [{ name: 'a' }] } }),
      ['zone_settings.headersResponseSet[0].value member.required'],
    ],
    [
      zone({ zone_settings: { defaultBackend: { type: 'x', id: 'a' } } }),
      ['zone_settings.defaultBackend.type value.choice'],
    ],
    [zone({ zone_settings: { basicAuth: { enabled: 1 } } }), ['zone_settings.basicAuth.enabled member.type']],
    [zone({ accessRules: [] }), ['accessRules member.type']],
    [zone({ accessRules: { order: ['a'], items: {} } }), ['accessRules.order list.order']],
    [zone({ accessRules: { order: ['a', 'a'], items: { a: {}, b: {} } } }), ['accessRules.order list.order']],
    [zone({ accessRules: { order: ['toString'], items: { a: {} } } }), ['accessRules.order list.order']],
    [zone({ accessRules: { order: ['r'], items: { r: 1 } } }), ['accessRules.items.r member.type']],
    [
      zone({ accessRules: one({ action: 'deny', skipTargets: ['x'], conditions: 1 }) }),
      [
        `${at} member.type`,
        'accessRules.items.r.action value.choice',
        'accessRules.items.r.skipTargets[0] value.choice',
      ],
    ],
    [
      zone({ accessRules: one({ action: 'allow', conditions: { logic: 'xor', conditions: [1] } }) }),
      [`${at}.conditions[0] member.type`, `${at}.logic condition.logic`],
    ],
    [
      zone({ accessRules: one({ action: 'allow', conditions: { logic: 'and', conditions: [] } }) }),
      [`${at}.conditions list.tooShort`],
    ],
    [
      leaf({ field: 'x', operator: 'y' }),
      [`${at}.conditions[0].field condition.field`, `${at}.conditions[0].operator condition.operator`],
    ],
    [leaf({ field: 'status', operator: 'equals', value: '404' }), [`${at}.conditions[0].field condition.field`]],
    [
      leaf({ field: 'ip', operator: 'contains', value: '1' }),
      [`${at}.conditions[0].operator condition.operator.incompatible`],
    ],
    [
      leaf({ field: 'ip', operator: 'equals', value: '10.0.0.0/8' }),
      [`${at}.conditions[0].value condition.value.syntax`],
    ],
    [
      leaf({ field: 'ip', operator: 'in', value: '10.0.0.0/8\nx' }),
      [`${at}.conditions[0].value condition.value.syntax`],
    ],
    [leaf({ field: 'uri', operator: 'equals' }), [`${at}.conditions[0].value condition.value.required`]],
    [
      leaf({ field: 'header', operator: 'exists', value: '' }),
      [`${at}.conditions[0].target condition.target.required`],
    ],
    [
      leaf({ field: 'uri', operator: 'equals', value: '/', target: 'x' }),
      [`${at}.conditions[0].target condition.target.unexpected`],
    ],
    [
      leaf({ field: 'uri', operator: 'not_matches', value: '(' }),
      [`${at}.conditions[0].value condition.regex.group.unclosed`],
    ],
    [
      zone({ rewriteRules: one({ operator: 'regex', sourcePattern: '(', target: '/' }) }),
      ['rewriteRules.items.r.sourcePattern rewriteRule.regex.group.unclosed'],
    ],
    [
      zone({ rewriteRules: one({ operator: 'equals', sourcePattern: '/', target: '/', statusCode: 300 }) }),
      ['rewriteRules.items.r.statusCode value.choice'],
    ],
    [
      zone({ configurationRules: one({ conditions: null, settingsOverrides: { enabled: 'yes' } }) }),
      [
        'configurationRules.items.r.conditions member.type',
        'configurationRules.items.r.settingsOverrides.enabled member.type',
      ],
    ],
    [zone({ securityScenarios: one({}) }), ['securityScenarios.items.r.filter member.required']],
    [zone({}), ['backends member.type'], 1],
    [
      zone({}),
      ['backends.originServers[0].port number.range'],
      { originServers: [{ id: 'a', protocol: 'http', address: 'b', port: 0 }] },
    ],
    [
      zone({}),
      ['backends.loadBalancers list.duplicate'],
      { loadBalancers: ['a', 'A'].map((id) => ({ id, method: 'random', origins: [] })) },
    ],
  ];
  for (const [document, problems, backends] of refused) {
    it(`refuses ${JSON.stringify(document)?.slice(0, 100)} for ${problems[0]}`, () => {
      expect(problemsOf(document, backends)).to.deep.equal(problems);
    });
  }

  it('never throws', () => {
    const members = ['zone_settings', 'accessRules', 'order', 'items', 'conditions', 'rewriteRules', 'a'];
    const json = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, fc.constantFrom('a', null, 1, true), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 2 }),
      object: fc.dictionary(fc.constantFrom(...members), tie('value'), { maxKeys: 4 }),
    })).value;
    fc.assert(
      fc.property(json, json, (document, backends) => typeof parseConfiguration(document, backends).ok === 'boolean'),
    );
  });
});
