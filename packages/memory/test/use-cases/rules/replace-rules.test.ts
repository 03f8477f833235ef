import {
  type Json,
  type JsonObject,
  jsonDocument,
  parseWantedRules,
  permissionDenied,
  type Role,
  RuleId,
  replaceRules,
  ruleKinds,
  versionMismatch,
  ZoneId,
  zoneNotFound,
} from '@zonewright/core';
import { expect } from 'chai';
import { err } from 'neverthrow';
import { aMember, anOutsider, setRole } from '../../support/organizations.ts';
import { refusalOf, valueOf } from '../../support/outcomes.ts';
import { aRule, configurationRulesOf, namesIn, onPath, rulesIn, someRules } from '../../support/rules.ts';
import { entriesDuring } from '../../support/traces.ts';
import { aWorld, everythingIn } from '../../support/world.ts';
import { anOrganizationWithZone, aZone, revisionOf } from '../../support/zones.ts';

const missingId = '00000000-0000-7000-8000-999999999999';

/** A configuration rule as a client writes it. */
const entry = (name: string, changes: object = {}): JsonObject =>
  ({ name, conditions: onPath(`/${name}`), ...changes }) as JsonObject;

const aWorldWithRules = async (zone_settings: object = {}) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world, { zone_settings });
  const { owner, zone } = arranged;
  const [a, b, c] = await someRules(world, owner, zone.id, ['a', 'b', 'c']);
  const list = configurationRulesOf(zone);
  const replace = replaceRules(world);
  /** Replaces the list by what a client wrote, whatever its revision. */
  const replaced = (entries: readonly Json[], expected: readonly string[] | undefined = undefined) =>
    parseWantedRules('configurationRule', entries).asyncAndThen((wanted) => replace(owner, list, wanted, expected));
  /** A rule that is there, as it would be written back. */
  const kept = ({ id, content }: typeof a & object, changes: object = {}) =>
    ({ id, ...JSON.parse(content.text), ...changes }) as JsonObject;
  return { world, ...arranged, a: a!, b: b!, c: c!, list, replace, replaced, kept };
};

describe('replaceRules', () => {
  it('keeps, changes, moves, adds and removes rules at once', async () => {
    const { world, list, a, b, c, replaced, kept } = await aWorldWithRules();
    world.clock.advance(60);
    const outcome = await valueOf(
      replaced([
        kept(c),
        entry('new'),
        kept(a, { description: 'changed', name: 'A' }),
        entry('newer', { enabled: false }),
      ]),
    );
    expect(await namesIn(world, list)).to.deep.equal(['1 c', '2 new', '3 A', '4 newer']);
    const [first, second, third] = outcome.items;
    expect(first).to.deep.equal({ ...c, order: 1 });
    expect(second).to.include({ order: 2, revision: 1 });
    expect(second!.createdAt).to.deep.equal(world.clock.now());
    expect(third).to.deep.equal({
      ...a,
      order: 3,
      content: third!.content,
      updatedAt: world.clock.now(),
      revision: 2,
    });
    expect(third!.content.value).to.deep.equal({ ...a.content.value, name: 'A', description: 'changed' });
    expect(outcome.items).to.deep.equal(await rulesIn(world, list));
    expect(outcome.totalItems).to.equal(4);
    expect(outcome.items.map(({ id }) => id)).to.not.include(b.id);
    expect(outcome.moved).to.deep.equal(outcome.items.map(({ id, order }) => ({ id, order })));
  });

  it('gives new rules ids of their own, also where one is written as another one was', async () => {
    const { world, list, a, replaced } = await aWorldWithRules();
    await valueOf(replaced([entry('a')]));
    const [rule] = await rulesIn(world, list);
    expect(rule!.id).to.not.equal(a.id);
    expect(rule!.content).to.deep.equal(a.content);
  });

  it('tells the rules that stand elsewhere than before, and no others', async () => {
    const { a, b, c, replaced, kept } = await aWorldWithRules();
    const swapped = await valueOf(replaced([kept(a), kept(c), kept(b)]));
    expect(swapped.moved).to.deep.equal([
      { id: c.id, order: 2 },
      { id: b.id, order: 3 },
    ]);
    const changed = await valueOf(replaced([kept(a, { description: 'x' }), kept(c), kept(b)]));
    expect(changed.moved).to.deep.equal([]);
  });

  it('only reorders when nothing else differs, and leaves the rules themselves alone', async () => {
    const { world, list, a, b, c, replaced, kept } = await aWorldWithRules();
    world.clock.advance(60);
    await valueOf(replaced([kept(c), kept(b), kept(a)]));
    expect(await rulesIn(world, list)).to.deep.equal([
      { ...c, order: 1 },
      { ...b, order: 2 },
      { ...a, order: 3 },
    ]);
  });

  it('lets two rules swap their names and conditions', async () => {
    const { world, list, a, b, c, replaced, kept } = await aWorldWithRules();
    const { name, conditions } = b.content.value;
    const { name: other, conditions: others } = a.content.value;
    await valueOf(replaced([kept(a, { name, conditions }), kept(b, { name: other, conditions: others }), kept(c)]));
    expect(await namesIn(world, list)).to.deep.equal(['1 b', '2 a', '3 c']);
    expect((await rulesIn(world, list)).map(({ id }) => id)).to.deep.equal([a.id, b.id, c.id]);
  });

  it('empties a list', async () => {
    const { world, list, replaced } = await aWorldWithRules();
    const outcome = await valueOf(replaced([]));
    expect([outcome.items, outcome.totalItems, outcome.moved]).to.deep.equal([[], 0, []]);
    expect(await rulesIn(world, list)).to.deep.equal([]);
  });

  it('leaves no trace when nothing differs', async () => {
    const { world, list, a, b, c, replaced, kept } = await aWorldWithRules();
    const before = everythingIn(world);
    world.clock.advance(60);
    const { revision } = await valueOf(world.unitOfWork.view(({ rules }) => rules.order(list)));
    const outcome = await valueOf(replaced([kept(a), kept(b), kept(c)]));
    expect(outcome).to.deep.equal({ items: [a, b, c], totalItems: 3, revision, moved: [] });
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('is one change of the zone, however many rules it touches', async () => {
    const { world, zone, a, replaced, kept } = await aWorldWithRules();
    const before = revisionOf(world, zone.id)!;
    const entries = await entriesDuring(world, () => replaced([entry('x'), kept(a, { enabled: false })]));
    expect(revisionOf(world, zone.id)).to.equal(before + 1);
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'configurationRule.replaced', objects: { zone: zone.id } },
    ]);
  });

  it('leaves other lists and zones alone', async () => {
    const { world, owner, replaced } = await aWorldWithRules();
    const other = await aZone(world, owner, { name: 'Other' });
    await aRule(world, owner, other.id, 'a');
    await valueOf(replaced([entry('a')]));
    expect(await namesIn(world, configurationRulesOf(other))).to.deep.equal(['1 a']);
  });

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
      ['something that is no id', ({ a, kept }) => [kept(a), entry('x', { id: 'x' })], '[1].id rule.unknown'],
      ['an id that is null', () => [entry('x', { id: null })], '[0].id rule.unknown'],
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
        'conditions twice, whatever the words',
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
      ['overrides that do not fit the zone', () => [entry('x'), entry('y', png)], `[1].${quality}`],
      [
        'backends and users that are not there',
        () => [
          entry('x', { settingsOverrides: { defaultBackend: { type: 'origin', id: missingId } } }),
          entry('y', { settingsOverrides: { basicAuth: { enabled: true, allowedUserIds: [missingId] } } }),
        ],
        '[0].settingsOverrides.defaultBackend backend.unknown',
        '[1].settingsOverrides.basicAuth.allowedUserIds[0] basicAuth.user.unknown',
        '[1].settingsOverrides.basicAuth.enabled basicAuth.noUser',
      ],
      [
        'an entry that is no object',
        () => [entry('x'), 'y', null, []],
        '[1] member.type',
        '[2] member.type',
        '[3] member.type',
      ],
      ['a position, which the place in the list is', () => [entry('x', { order: 1 })], '[0].order member.unknown'],
      [
        'everything that is wrong with any entry',
        () => [entry('x', { name: null, enabled: 1 }), entry('y'), entry('z', { x: 1, conditions: { logic: 'and' } })],
        '[0].name member.type',
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
      const wanted = parseWantedRules('accessRule', [body as unknown as Json])._unsafeUnwrap();
      expect(await refusalOf(replace(owner, access, wanted, undefined))).to.deep.equal(['[0].id rule.unknown']);
    });

    it('more rules than a list may have, but takes as many as it may', async () => {
      const { world, list, replaced } = await aWorldWithRules();
      const { limit } = ruleKinds.configurationRule;
      const many = (count: number) => Array.from({ length: count }, (_, index) => entry(`${index}`));
      expect(await refusalOf(replaced(many(limit + 1)))).to.deep.equal([' zone.configurationRules.limit']);
      expect(await rulesIn(world, list)).to.have.length(3);
      const { items, totalItems } = await valueOf(replaced(many(limit)));
      expect([items.length, totalItems]).to.deep.equal([limit, limit]);
    });
  });

  describe('with expected revisions', () => {
    const revisionIn = async ({ world, list }: Awaited<ReturnType<typeof aWorldWithRules>>) =>
      (await valueOf(world.unitOfWork.view(({ rules }) => rules.order(list)))).revision;

    it('replaces the list when one of them is its revision, and tells the next one', async () => {
      const arranged = await aWorldWithRules();
      const before = await revisionIn(arranged);
      const { revision } = await valueOf(arranged.replaced([entry('x')], ['x', String(before)]));
      expect(revision).to.be.greaterThan(before);
      expect(revision).to.equal(await revisionIn(arranged));
    });

    it('refuses when none is, tells the revision, and writes nothing', async () => {
      const arranged = await aWorldWithRules();
      const before = everythingIn(arranged.world);
      const revision = String(await revisionIn(arranged));
      for (const expected of [['x'], []]) {
        expect(await arranged.replaced([entry('x')], expected)).to.deep.equal(err(versionMismatch(revision)));
      }
      expect(everythingIn(arranged.world)).to.deep.equal(before);
    });

    it('refuses when a rule of the list changed since', async () => {
      const arranged = await aWorldWithRules();
      const revision = await revisionIn(arranged);
      await aRule(arranged.world, arranged.owner, arranged.zone.id, 'x');
      expect(await refusalOf(arranged.replaced([], [String(revision)]))).to.deep.equal(['VersionMismatch']);
    });

    it('lets one of two replacements of the same revision win', async () => {
      const arranged = await aWorldWithRules();
      const revision = [String(await revisionIn(arranged))];
      const outcomes = ['x', 'y'].map((name) => refusalOf(arranged.replaced([entry(name)], revision)));
      expect(await Promise.all(outcomes)).to.deep.equal([['accepted'], ['VersionMismatch']]);
      expect(await namesIn(arranged.world, arranged.list)).to.deep.equal(['1 x']);
    });
  });

  const rights: readonly (readonly [Role, boolean])[] = [
    ['owner', true],
    ['admin', true],
    ['editor', true],
    ['viewer', false],
  ];
  for (const [role, allowed] of rights) {
    it(`${allowed ? 'is allowed to' : 'is refused to'} a role of ${role}`, async () => {
      const { world, organization, list, replace } = await aWorldWithRules();
      const outcome = await refusalOf(replace(aMember(world, organization, role), list, [], undefined));
      expect(outcome).to.deep.equal([allowed ? 'accepted' : 'PermissionDenied']);
    });
  }

  it('is refused to outsiders, and to those whose right was withdrawn meanwhile', async () => {
    const { world, organization, owner, list, replace } = await aWorldWithRules();
    const denied = err(permissionDenied('rules.write'));
    expect(await replace(anOutsider(world), list, [], undefined)).to.deep.equal(denied);
    setRole(world, organization, owner.userId, 'viewer');
    expect(await replace(owner, list, [], undefined)).to.deep.equal(denied);
    expect(await rulesIn(world, list)).to.have.length(3);
  });

  it('says that the zone is missing', async () => {
    const { owner, list, replace } = await aWorldWithRules();
    const nowhere = { ...list, zone: ZoneId.parse(missingId) };
    expect(await replace(owner, nowhere, [], undefined)).to.deep.equal(err(zoneNotFound()));
    expect(
      await refusalOf(
        replace(owner, list, [{ id: RuleId.parse(missingId), content: jsonDocument({}) as never }], undefined),
      ),
    ).to.deep.equal(['[0].id rule.unknown']);
  });
});
