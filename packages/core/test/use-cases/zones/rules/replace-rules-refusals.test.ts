import { defaultUsageLimits, type Json, parseWantedRules } from '@zonewright/core';
import { expect } from 'chai';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aWorldWithRules, entry } from '../../../support/rule-lists.ts';
import { aRule, onPath, rulesIn } from '../../../support/rules.ts';
import { everythingIn } from '../../../support/world.ts';
import { aZone } from '../../../support/zones.ts';

const missingId = '00000000-0000-7000-8000-999999999999';

describe('replaceRules', () => {
  describe('refuses, and writes nothing of', () => {
    type Kept = Awaited<ReturnType<typeof aWorldWithRules>>;
    const png = { settingsOverrides: { imageOptimizationPngQualityMin: 81 } };
    const quality = 'settingsOverrides.imageOptimizationPngQualityMin settings.quality.order';
    const cases: readonly (readonly [what: string, entries: (world: Kept) => Json[], ...codes: string[]])[] = [
      [
        'an id that the list does not have',
        ({ a, kept }) => [kept(a), entry('x', { id: missingId })],
        '[1].id rule.unknown',
      ],
      ['something that is not an id', ({ a, kept }) => [kept(a), entry('x', { id: 'x' })], '[1].id rule.unknown'],
      ['an id that is not a string', () => [entry('x', { id: 7 })], '[0].id rule.unknown'],
      [
        'an id twice',
        ({ a, kept }) => [kept(a), kept(a, { name: 'x', conditions: onPath('/x') })],
        '[1].id list.duplicate',
      ],
      [
        'a name twice',
        () => [entry('x'), entry('y'), entry('X', { conditions: onPath('/z') })],
        '[2].name rule.name.duplicate',
      ],
      [
        'conditions twice, in any spelling',
        () => [entry('x'), entry('y', { conditions: { ...onPath('/x'), logic: 'any' } })],
        '[1].conditions rule.conditions.duplicate',
      ],
      [
        'names and conditions three times',
        () => [entry('x'), entry('x'), entry('x')],
        '[1].name rule.name.duplicate',
        '[2].name rule.name.duplicate',
        '[1].conditions rule.conditions.duplicate',
        '[2].conditions rule.conditions.duplicate',
      ],
      ['overrides that are inconsistent with the zone', () => [entry('x'), entry('y', png)], `[1].${quality}`],
      [
        'backends and users that do not exist',
        () => [
          entry('x', { settingsOverrides: { defaultBackend: { type: 'origin', id: missingId } } }),
          entry('y', { settingsOverrides: { basicAuth: { enabled: true, allowedUserIds: [missingId] } } }),
        ],
        '[0].settingsOverrides.defaultBackend backend.unknown',
        '[1].settingsOverrides.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        '[1].settingsOverrides.basicAuth.enabled basicAuth.noUser',
      ],
      [
        'duplicates and inconsistencies at once',
        () => [entry('x', png), entry('X', { ...png, conditions: onPath('/y') })],
        '[1].name rule.name.duplicate',
        `[0].${quality}`,
        `[1].${quality}`,
      ],
      [
        'an entry that is not an object',
        () => [entry('x'), 'y', null, []],
        '[1] member.type',
        '[2] member.type',
        '[3] member.type',
      ],
      ['a position, which follows from the list', () => [entry('x', { order: 1 })], '[0].order member.unknown'],
      [
        'all violations of all entries',
        () => [entry('x', { name: null, enabled: 1 }), entry('y'), entry('z', { x: 1, conditions: { logic: 'and' } })],
        '[0].name member.required',
        '[0].enabled member.type',
        '[2].conditions.conditions member.required',
        '[2].x member.unknown',
      ],
    ];
    for (const [what, entries, ...codes] of cases) {
      it(what, async () => {
        const arranged = await aWorldWithRules();
        const before = everythingIn(arranged.world);
        expect(await refusalOf(arranged.replaced(entries(arranged)))).to.deep.equal(codes);
        expect(everythingIn(arranged.world)).to.deep.equal(before);
      });
    }

    it('an id of a rule of another zone, or of another list', async () => {
      const { world, owner, list, replace, replaced } = await aWorldWithRules();
      const other = await aZone(world, owner, { name: 'Other' });
      const foreign = await aRule(world, owner, other.id, 'x');
      expect(await refusalOf(replaced([entry('x', { id: foreign.id })]))).to.deep.equal(['[0].id rule.unknown']);
      const access = { ...list, kind: 'accessRule' } as const;
      const rules = await rulesIn(world, list);
      const body = { id: rules[0]!.id, name: 'a', conditions: onPath('/a'), action: 'block' };
      const refused = parseWantedRules('accessRule', [body]).asyncAndThen((wanted) =>
        replace(owner, access, wanted, undefined),
      );
      expect(await refusalOf(refused)).to.deep.equal(['[0].id rule.unknown']);
    });

    it('more rules than the limit, but accepts exactly the limit', async () => {
      const { world, list, replaced } = await aWorldWithRules();
      const { configurationRules: limit } = defaultUsageLimits;
      const many = (count: number) => Array.from({ length: count }, (_, index) => entry(`${index}`));
      expect(await refusalOf(replaced(many(limit + 1)))).to.deep.equal([' zone.configurationRules.limit']);
      expect(await rulesIn(world, list)).to.have.length(3);
      const { items, totalItems } = await valueOf(replaced(many(limit)));
      expect([items.length, totalItems]).to.deep.equal([limit, limit]);
    });
  });
});
