import { type JsonObject, jsonDocument } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorldWithRule, configurationRulesOf, orderOf, someRules } from '../../../support/rules.ts';
import { everythingIn } from '../../../support/world.ts';

const missingId = '00000000-0000-7000-8000-999999999999';

describe('updateRule', () => {
  describe('merges the patch into the rule:', () => {
    const stored = {
      description: 'A rule',
      enabled: false,
      stopOnMatch: true,
      conditions: { logic: 'all', conditions: [{ field: 'path', operator: 'equals', value: '/a' }] },
      settingsOverrides: {
        cachingDefaultTtl: 60,
        headersResponseRemove: ['Server'],
        cachingDynamicCacheKey: { uri: false, varyByHostname: true, varyByCookie: ['a'] },
        backendPortOverride: 8080,
      },
    };
    const key = { uri: false, varyByHostname: true, varyByCookie: ['a'], varyByCountry: false, varyByHeader: [] };
    const overrides = { ...stored.settingsOverrides, cachingDynamicCacheKey: key };
    const { backendPortOverride: _, ...withoutPort } = overrides;
    const cases: readonly (readonly [what: string, patch: JsonObject, changes: object])[] = [
      ['nothing changes nothing', {}, {}],
      ['a name replaces the name', { name: ' Second ' }, { name: 'Second' }],
      ['null for the description makes it empty', { description: null }, { description: '' }],
      ['several members change together', { description: 'b', enabled: true }, { description: 'b', enabled: true }],
      [
        'conditions keep omitted members',
        { conditions: { logic: 'or' } },
        { conditions: { ...stored.conditions, logic: 'or' } },
      ],
      [
        'a list of conditions is replaced as a whole',
        { conditions: { conditions: [{ field: 'host', operator: 'equals', value: 'b.example' }] } },
        { conditions: { logic: 'all', conditions: [{ field: 'host', operator: 'equals', value: 'b.example' }] } },
      ],
      [
        'overrides are replaced, added and dropped one by one',
        { settingsOverrides: { cachingDefaultTtl: 90, minifyHtml: true, backendPortOverride: null } },
        { settingsOverrides: { ...withoutPort, cachingDefaultTtl: 90, minifyHtml: true } },
      ],
      ['null for a missing override is accepted', { settingsOverrides: { minifyHtml: null } }, {}],
      ['null drops all overrides', { settingsOverrides: null }, { settingsOverrides: {} }],
      [
        'an object of an override merges member by member, and a list is replaced as a whole',
        { settingsOverrides: { cachingDynamicCacheKey: { varyByCookie: ['b'] } } },
        { settingsOverrides: { ...overrides, cachingDynamicCacheKey: { ...key, varyByCookie: ['b'] } } },
      ],
      [
        'null inside an object of an override brings back the default of the member',
        { settingsOverrides: { cachingDynamicCacheKey: { uri: null } } },
        { settingsOverrides: { ...overrides, cachingDynamicCacheKey: { ...key, uri: true } } },
      ],
    ];
    for (const [what, body, changes] of cases) {
      it(what, async () => {
        const { world, owner, zone, rule, patch } = await aWorldWithRule(stored);
        world.clock.advance(60);
        const updated = (await valueOf(patch(body))).rule;
        const isChanged = Object.keys(changes).length > 0;
        const stamp = isChanged ? { updatedAt: world.clock.now(), revision: 2 } : {};
        const content = jsonDocument({ ...rule.content.value, ...changes });
        expect(updated.content.value).to.deep.equal(content.value);
        expect({ ...updated, content }).to.deep.equal({ ...rule, ...stamp, content });
        expect(await readRule(world)(owner, configurationRulesOf(zone), rule.id)).to.deep.equal(ok(updated));
      });
    }
  });

  describe('refuses', () => {
    const cases: readonly (readonly [what: string, patch: JsonObject, ...codes: string[]])[] = [
      ['a rule without a name', { name: null }, 'name member.required'],
      ['a rule without conditions', { conditions: null }, 'conditions member.required'],
      ['conditions without logic', { conditions: { logic: null } }, 'conditions.logic member.required'],
      ['a rule without a position', { order: null }, 'order member.required'],
      ['a position that is not an integer', { order: 1.5 }, 'order member.type'],
      ['overrides that are a list', { settingsOverrides: [] }, 'settingsOverrides member.type'],
      ['another zone', { zone: missingId }, 'zone member.unknown'],
      ['an unknown member', { names: 'x' }, 'names member.unknown'],
      [
        'several errors at once',
        { name: null, enabled: 1, x: 1 },
        'name member.required',
        'enabled member.type',
        'x member.unknown',
      ],
    ];
    for (const [what, body, ...codes] of cases) {
      it(`${what}, and changes nothing`, async () => {
        const { world, patch } = await aWorldWithRule();
        const before = everythingIn(world);
        expect(await refusalOf(patch(body))).to.have.members(codes);
        expect(everythingIn(world)).to.deep.equal(before);
      });
    }

    it('a position together with something invalid, and moves nothing', async () => {
      const { world, owner, zone, rule, patch } = await aWorldWithRule();
      await someRules(world, owner, zone.id, ['b', 'c']);
      const before = everythingIn(world);
      expect(await refusalOf(patch({ order: 3, name: 'B' }, rule.id))).to.deep.equal(['name rule.name.duplicate']);
      expect(everythingIn(world)).to.deep.equal(before);
      expect(await orderOf(world, zone.id)).to.deep.equal(['1 first', '2 b', '3 c']);
    });
  });

  it('treats a member called __proto__ as unknown data, and pollutes nothing', async () => {
    const { world, owner, zone, rule, patch } = await aWorldWithRule();
    await patch(JSON.parse('{"__proto__":{"polluted":true},"settingsOverrides":{"__proto__":{"polluted":true}}}'));
    expect({}).not.to.have.property('polluted');
    const { content } = await valueOf(readRule(world)(owner, configurationRulesOf(zone), rule.id));
    expect(content.text).to.equal(rule.content.text);
  });
});
