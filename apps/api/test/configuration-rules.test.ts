import { expect } from 'chai';
import { type RuleBody, someConditions, unique } from './support/arrange.ts';
import {
  behavesAsNestedRules,
  behavesAsOrderedRules,
  type NestedKind,
  refusesAll,
  usePlace,
} from './support/rule-suite.ts';

const configurationRules: NestedKind = {
  type: 'ConfigurationRule',
  collection: 'configuration-rules',
  member: 'configurationRules',
  limit: 100,
  counter: ['rules', 300],
  least: () => ({ name: `rule-${unique()}`, conditions: someConditions() }),
  defaults: () => ({ description: '', enabled: true, stopOnMatch: false, settingsOverrides: {}, order: 1 }),
  change: ['settingsOverrides', { minifyHtml: true, cachingIgnoredUrlParams: ['a'] }],
};

describe('Configuration rules', () => {
  const at = usePlace(configurationRules);
  behavesAsNestedRules(configurationRules, at);
  behavesAsOrderedRules(configurationRules, at);

  it('are linked data by default', async () => {
    const { ada, path, create } = at();
    const item = `${path()}/${(await create()).id}`;
    const any = { accept: '*/*' };
    for (const reply of [
      await ada.post(path(), configurationRules.least(), any),
      await ada.get(path(), any),
      await ada.get(item, any),
      await ada.patch(item, { name: 'renamed' }, any),
      await ada.post(`${item}/move`, { position: 1 }, any),
    ]) {
      expect(reply.headers.get('content-type')).to.equal('application/ld+json; charset=utf-8');
    }
  });

  it('GET /api/zones/{zoneId}/configuration-rules describes its search by one name or several', async () => {
    const { ada, path, create } = at();
    const names = ['images', 'API v1', 'api_v2', '50%'];
    for (const name of names) await create({ name });
    const mapping = ['name', 'name[]'].map((variable) => ({
      '@type': 'IriTemplateMapping',
      variable,
      property: 'name',
      required: false,
    }));
    expect((await ada.get(path(), { accept: 'application/ld+json' })).json()).to.deep.include({
      search: {
        '@type': 'IriTemplate',
        template: `${path()}{?name,name[]}`,
        variableRepresentation: 'BasicRepresentation',
        mapping,
      },
    });
    for (const [query, found] of [
      ['name=%25', ['50%']],
      ['name[]=imag&name[]=v2', ['images', 'api_v2']],
      ['name=', names],
    ] as const) {
      const reply = await ada.get(`${path()}?${query}`);
      expect((reply.json() as readonly RuleBody[]).map(({ name }) => name)).to.deep.equal(found);
    }
  });

  refusesAll(configurationRules, at, [
    [
      'several errors at once',
      {
        name: undefined,
        description: 7,
        conditions: { logic: 'xor', conditions: [{ field: 'header', operator: 'equals', value: 'x' }] },
        order: 'first',
        enabled: 'yes',
        priority: 1,
        settingsOverrides: { cachingDefaultTtl: -1, underAttack: true },
      },
      'name: member.required',
      'description: member.type',
      'enabled: member.type',
      'conditions.logic: condition.logic',
      'conditions.conditions[0].target: condition.target.required',
      'settingsOverrides.cachingDefaultTtl: settings.range',
      'settingsOverrides.underAttack: member.unknown',
      'priority: member.unknown',
      'order: member.type',
    ],
  ]);
});
