import { BackendReference, BasicAuthUserId, jsonDocument } from '@zonewright/core';
import { expect } from 'chai';
import { ok } from 'neverthrow';
import { createRule } from '../../../../src/zones/rules/create-rule.ts';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { aMember, anOrganization } from '../../../support/organizations.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aRule, aRuleDraft, configurationRulesOf, onPath, orderOf, someRules } from '../../../support/rules.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone, setBasicAuthUsers } from '../../../support/zones.ts';

const id = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;

const aWorldWithZone = async (zone_settings: object = {}) => {
  const world = aWorld();
  return { world, ...(await anOrganizationWithZone(world, { zone_settings })), create: createRule(world) };
};

describe('createRule', () => {
  it('stores a rule as written, with defaults for omitted members', async () => {
    const { world, owner, zone, create } = await aWorldWithZone();
    const conditions = { logic: 'ANY', conditions: [{ field: 'path', operator: 'equals', value: '/B' }] };
    const { rule, moved } = await valueOf(create(owner, configurationRulesOf(zone), aRuleDraft('a', { conditions })));
    expect(rule).to.deep.equal({
      id: rule.id,
      zoneId: zone.id,
      kind: 'configurationRule',
      order: 1,
      content: jsonDocument({
        name: 'a',
        description: '',
        enabled: true,
        conditions,
        stopOnMatch: false,
        settingsOverrides: {},
      }),
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      revision: 1,
    });
    expect(moved).to.deep.equal([{ id: rule.id, order: 1 }]);
    expect(await readRule(world)(owner, configurationRulesOf(zone), rule.id)).to.deep.equal(ok(rule));
  });

  const positions: readonly (readonly [order: number | undefined, ...names: string[]])[] = [
    [undefined, '1 a', '2 b', '3 c', '4 new'],
    [2, '1 a', '2 new', '3 b', '4 c'],
    [99, '1 a', '2 b', '3 c', '4 new'],
    [0, '1 new', '2 a', '3 b', '4 c'],
  ];
  for (const [order, ...names] of positions) {
    it(`puts a rule next to three others ${order === undefined ? 'at the end by default' : `at ${order}`}`, async () => {
      const { world, owner, zone } = await aWorldWithZone();
      await someRules(world, owner, zone.id, ['a', 'b', 'c']);
      const rule = await aRule(world, owner, zone.id, 'new', { order });
      expect(await orderOf(world, zone.id)).to.deep.equal(names);
      expect(names[rule.order - 1]).to.equal(`${rule.order} new`);
    });
  }

  it('reports every rule whose position changed, in evaluation order', async () => {
    const { world, owner, zone, create } = await aWorldWithZone();
    const [, b, c] = await someRules(world, owner, zone.id, ['a', 'b', 'c']);
    const { rule, moved } = await valueOf(create(owner, configurationRulesOf(zone), aRuleDraft('new', { order: 2 })));
    expect(moved).to.deep.equal([
      { id: rule.id, order: 2 },
      { id: b?.id, order: 3 },
      { id: c?.id, order: 4 },
    ]);
  });

  it('does not change shifted rules otherwise', async () => {
    const { world, owner, zone } = await aWorldWithZone();
    const a = await aRule(world, owner, zone.id, 'a');
    world.clock.advance(60);
    await aRule(world, owner, zone.id, 'new', { order: 1 });
    expect(await readRule(world)(owner, configurationRulesOf(zone), a.id)).to.deep.equal(ok({ ...a, order: 2 }));
  });

  describe('next to a rule with the name "Static files" and conditions on /a or /b', () => {
    const leaf = (value: string) => ({ field: 'path', operator: 'equals', value });
    const taken = { logic: 'or', conditions: [leaf('/a'), leaf('/b')] };
    const [name, conditions] = ['name rule.name.duplicate', 'conditions rule.conditions.duplicate'];
    const cases: readonly (readonly [what: string, draft: object, ...codes: string[]])[] = [
      ['another name and other conditions', { name: 'x', conditions: onPath('/c') }, 'accepted'],
      ['the same name', { name: 'Static files' }, name],
      ['the name in another case', { name: 'STATIC files' }, name],
      ['the name with white space at the ends', { name: ' Static files ' }, name],
      ['the same conditions', { conditions: taken }, conditions],
      [
        'the conditions with aliases, duplicates and in another order',
        {
          conditions: {
            logic: 'Any',
            conditions: [{ field: 'uri', operator: 'equals', value: '/b' }, leaf('/a'), leaf('/b')],
          },
        },
        conditions,
      ],
      ['the conditions with other logic', { conditions: { ...taken, logic: 'and' } }, 'accepted'],
      ['the same name and conditions', { name: 'static files', conditions: taken }, name, conditions],
    ];
    for (const [what, draft, ...codes] of cases) {
      it(`${codes[0] === 'accepted' ? 'accepts' : 'refuses'} one with ${what}`, async () => {
        const { world, owner, zone, create } = await aWorldWithZone();
        await aRule(world, owner, zone.id, 'Static files', { conditions: taken, enabled: false });
        const another = { name: 'x', conditions: onPath('/c'), ...draft };
        expect(await refusalOf(create(owner, configurationRulesOf(zone), aRuleDraft('', another)))).to.deep.equal(
          codes,
        );
      });
    }

    it('accepts the same in another zone', async () => {
      const { world, owner, zone, create } = await aWorldWithZone();
      await aRule(world, owner, zone.id, 'Static files', { conditions: taken });
      const other = await aZone(world, owner, { name: 'Other' });
      expect(
        await refusalOf(create(owner, configurationRulesOf(other), aRuleDraft('Static files', { conditions: taken }))),
      ).to.deep.equal(['accepted']);
    });
  });

  describe('with overrides', () => {
    const order = 'settings.quality.order';
    const cases: readonly (readonly [what: string, zone: object, overrides: object, ...codes: string[]])[] = [
      ['that are consistent with the zone', {}, { imageOptimizationPngQualityMin: 80 }, 'accepted'],
      [
        'that are consistent with each other, but not with the zone',
        {},
        { imageOptimizationPngQualityMin: 90, imageOptimizationPngQualityMax: 95 },
        'accepted',
      ],
      [
        'that are inconsistent with the zone',
        {},
        { imageOptimizationPngQualityMin: 81 },
        `settingsOverrides.imageOptimizationPngQualityMin ${order}`,
      ],
      [
        'that are consistent with the defaults, but not with this zone',
        { imageOptimizationPngQualityMax: 70 },
        { imageOptimizationPngQualityMin: 75 },
        `settingsOverrides.imageOptimizationPngQualityMin ${order}`,
      ],
      [
        'that are inconsistent',
        {},
        { imageOptimizationPngQualityMin: 50, imageOptimizationPngQualityMax: 40 },
        `settingsOverrides.imageOptimizationPngQualityMax ${order}`,
      ],
      [
        'that set a header which the zone removes',
        { headersResponseRemove: ['Server'] },
        { headersResponseSet: [{ name: 'server', value: 'x' }] },
        'settingsOverrides.headersResponseSet[0].name settings.header.conflict',
      ],
      [
        'that set a header which the zone removes and the rule does not',
        { headersResponseRemove: ['Server'] },
        { headersResponseSet: [{ name: 'server', value: 'x' }], headersResponseRemove: [] },
        'accepted',
      ],
    ];
    for (const [what, settings, settingsOverrides, ...codes] of cases) {
      it(`${codes[0] === 'accepted' ? 'accepts' : 'refuses'} those ${what}`, async () => {
        const { owner, zone, create } = await aWorldWithZone(settings);
        expect(
          await refusalOf(create(owner, configurationRulesOf(zone), aRuleDraft('a', { settingsOverrides }))),
        ).to.deep.equal(codes);
      });
    }
  });

  describe('with overrides that refer to other things', () => {
    const server = BackendReference.parse({ type: 'origin_server', id: id(1) });
    const cases: readonly (readonly [what: string, overrides: object, ...codes: string[]])[] = [
      ['a backend of the organization', { defaultBackend: server }, 'accepted'],
      ['the same by its alias', { defaultBackend: { ...server, type: 'origin' } }, 'accepted'],
      [
        'a backend with the wrong kind',
        { defaultBackend: { ...server, type: 'load_balancer' } },
        'settingsOverrides.defaultBackend backend.unknown',
      ],
      [
        'a backend of another organization',
        { defaultBackend: { ...server, id: id(2) } },
        'settingsOverrides.defaultBackend backend.unknown',
      ],
      ['a basic-auth user of the zone', { basicAuth: { enabled: true, allowedUserIds: [id(5)] } }, 'accepted'],
      ['all basic-auth users of the zone', { basicAuth: { enabled: true } }, 'accepted'],
      [
        'unknown basic-auth users and those of another zone',
        { basicAuth: { enabled: true, allowedUserIds: [id(9), id(5), id(6)] } },
        'settingsOverrides.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        'settingsOverrides.basicAuth.allowedUserIds[2] basicAuth.user.unknown',
      ],
    ];
    for (const [what, settingsOverrides, ...codes] of cases) {
      it(`${codes[0] === 'accepted' ? 'accepts' : 'refuses'} ${what}`, async () => {
        const world = aWorld();
        const organization = anOrganization(world, { backends: [server] });
        anOrganization(world, { backends: [BackendReference.parse({ type: 'origin_server', id: id(2) })] });
        const owner = aMember(world, organization, 'owner');
        const zone = await aZone(world, owner);
        setBasicAuthUsers(world, zone.id, [BasicAuthUserId.parse(id(5))]);
        setBasicAuthUsers(world, (await aZone(world, owner, { name: 'Other' })).id, [BasicAuthUserId.parse(id(6))]);
        const draft = aRuleDraft('a', { settingsOverrides });
        expect(await refusalOf(createRule(world)(owner, configurationRulesOf(zone), draft))).to.deep.equal(codes);
      });
    }

    it('refuses basic auth in a zone without users', async () => {
      const { owner, zone, create } = await aWorldWithZone();
      const outcomes = [{ enabled: true }, { enabled: false }].map((basicAuth) =>
        refusalOf(create(owner, configurationRulesOf(zone), aRuleDraft('a', { settingsOverrides: { basicAuth } }))),
      );
      expect(await Promise.all(outcomes)).to.deep.equal([
        ['settingsOverrides.basicAuth.enabled basicAuth.noUser'],
        ['accepted'],
      ]);
    });
  });

  it('reports all violations at once, and stores nothing', async () => {
    const { world, owner, zone, create } = await aWorldWithZone();
    await aRule(world, owner, zone.id, 'a');
    const before = everythingIn(world);
    const settingsOverrides = {
      imageOptimizationPngQualityMin: 81,
      defaultBackend: { type: 'origin', id: id(9) },
      basicAuth: { enabled: true },
    };
    expect(
      await refusalOf(create(owner, configurationRulesOf(zone), aRuleDraft('a', { order: 1, settingsOverrides }))),
    ).to.have.members([
      'name rule.name.duplicate',
      'conditions rule.conditions.duplicate',
      'settingsOverrides.imageOptimizationPngQualityMin settings.quality.order',
      'settingsOverrides.defaultBackend backend.unknown',
      'settingsOverrides.basicAuth.enabled basicAuth.noUser',
    ]);
    expect(everythingIn(world)).to.deep.equal(before);
  });
});
