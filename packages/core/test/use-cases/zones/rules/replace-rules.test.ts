import { expect } from 'chai';
import { valueOf } from '../../../support/outcomes.ts';
import { aWorldWithRules, entry } from '../../../support/rule-lists.ts';
import { aRule, configurationRulesOf, namesIn, rulesIn } from '../../../support/rules.ts';
import { everythingIn } from '../../../support/world.ts';
import { aZone } from '../../../support/zones.ts';

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
    expect(second).to.include({ order: 2, revision: 4 });
    expect(second!.createdAt).to.deep.equal(world.clock.now());
    expect(third).to.deep.equal({
      ...a,
      order: 3,
      content: third!.content,
      updatedAt: world.clock.now(),
      revision: a.revision + 1,
    });
    expect(third!.content.value).to.deep.equal({ ...a.content.value, name: 'A', description: 'changed' });
    expect(outcome.items).to.deep.equal(await rulesIn(world, list));
    expect(outcome.totalItems).to.equal(4);
    expect(outcome.items.map(({ id }) => id)).to.not.include(b.id);
    expect(outcome.moved).to.deep.equal(outcome.items.map(({ id, order }) => ({ id, order })));
  });

  it('assigns new ids to new rules, even if one equals an old one', async () => {
    const { world, list, a, replaced } = await aWorldWithRules();
    await valueOf(replaced([entry('a')]));
    const [rule] = await rulesIn(world, list);
    expect(rule!.id).to.not.equal(a.id);
    expect(rule!.content).to.deep.equal(a.content);
  });

  it('returns exactly the rules whose positions changed', async () => {
    const { a, b, c, replaced, kept } = await aWorldWithRules();
    const swapped = await valueOf(replaced([kept(a), kept(c), kept(b)]));
    expect(swapped.moved).to.deep.equal([
      { id: c.id, order: 2 },
      { id: b.id, order: 3 },
    ]);
    const changed = await valueOf(replaced([kept(a, { description: 'x' }), kept(c), kept(b)]));
    expect(changed.moved).to.deep.equal([]);
  });

  it('only reorders if nothing else differs, and keeps the rules themselves', async () => {
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

  it('leaves no trace if nothing changes', async () => {
    const { world, list, a, b, c, replaced, kept } = await aWorldWithRules();
    const before = everythingIn(world);
    world.clock.advance(60);
    const { revision } = await valueOf(
      world.unitOfWork.view(({ rules }) => rules.list(list, [], { page: 1, itemsPerPage: 1 })),
    );
    const outcome = await valueOf(replaced([kept(a), kept(b), kept(c)]));
    expect(outcome).to.deep.equal({ items: [a, b, c], totalItems: 3, revision, moved: [] });
    expect(everythingIn(world)).to.deep.equal(before);
  });

  it('does not affect other lists and zones', async () => {
    const { world, owner, replaced } = await aWorldWithRules();
    const other = await aZone(world, owner, { name: 'Other' });
    await aRule(world, owner, other.id, 'a');
    await valueOf(replaced([entry('a')]));
    expect(await namesIn(world, configurationRulesOf(other))).to.deep.equal(['1 a']);
  });

  describe('with expected revisions', () => {
    const revisionIn = async ({ world, list }: Awaited<ReturnType<typeof aWorldWithRules>>) =>
      (await valueOf(world.unitOfWork.view(({ rules }) => rules.list(list, [], { page: 1, itemsPerPage: 1 }))))
        .revision;

    it('replaces the list if one of them is its revision, and returns the next one', async () => {
      const arranged = await aWorldWithRules();
      const before = await revisionIn(arranged);
      const { revision } = await valueOf(arranged.replaced([entry('x')], ['x', String(before)]));
      expect(revision).to.be.greaterThan(before);
      expect(revision).to.equal(await revisionIn(arranged));
    });
  });
});
