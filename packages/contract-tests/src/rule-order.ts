import type { RuleKind, RuleList, RuleOrder } from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { rulesOf, storedZone, storedZoneWithRules } from './arrangements.ts';
import { aRule, aRuleId, aZoneId, wholeList } from './builders.ts';
import { done, okOf, rejectionOf, seen } from './results.ts';
import type { Storage } from './storage.ts';

/** What the contract of the rules promises of the order of a list. */
export function ruleOrderContract(storage: () => Storage, kind: RuleKind): void {
  describe('order and saveOrder', () => ordering(storage, kind));
  describe('the order at the end of a unit', () => completeness(storage, kind));
  describe('the revision of a list', () => revisions(storage, kind));
}

/** Replaces the order of a list; what the unit resolves to. */
const reordered = ({ unitOfWork }: Storage, list: RuleList, order: RuleOrder) =>
  unitOfWork.run(({ zones, rules }) => zones.lock(list.zone).andThen(() => rules.saveOrder(list, order)));

const orderOf = async (storage: Storage, list: RuleList) => (await seen(storage, ({ rules }) => rules.order(list))).ids;

function ordering(storage: () => Storage, kind: RuleKind): void {
  it('is empty in a new zone, and in a zone that is not there', async () => {
    const { zone } = await storedZone(storage());
    for (const id of [zone.id, aZoneId()]) {
      expect(await seen(storage(), ({ rules }) => rules.order({ zone: id, kind }))).to.deep.equal({
        ids: [],
        revision: 0,
      });
    }
  });

  it('is what was saved last, and decides the positions', async () => {
    const { list, order } = await storedZoneWithRules(storage(), 4, kind);
    const shuffled = [order[2]!, order[0]!, order[3]!, order[1]!];
    await okOf(reordered(storage(), list, shuffled));
    expect(await orderOf(storage(), list)).to.deep.equal(shuffled);
    expect((await rulesOf(storage(), list)).map((rule) => [rule.id, rule.order])).to.deep.equal(
      shuffled.map((id, index) => [id, index + 1]),
    );
  });

  it('leaves other zones and the rules themselves alone', async () => {
    const first = await storedZoneWithRules(storage(), 2, kind);
    const second = await storedZoneWithRules(storage(), 2, kind);
    await okOf(reordered(storage(), first.list, first.order.toReversed()));
    expect(await orderOf(storage(), second.list)).to.deep.equal(second.order);
    const rules = await rulesOf(storage(), first.list);
    expect(rules.map(({ revision }) => revision)).to.deep.equal([1, 1]);
  });

  it('stays when the unit is undone', async () => {
    const { list, order } = await storedZoneWithRules(storage(), 2, kind);
    await storage().unitOfWork.run(({ zones, rules }) =>
      zones
        .lock(list.zone)
        .andThen(() => rules.saveOrder(list, order.toReversed()))
        .andThen(() => errAsync('undo')),
    );
    expect(await orderOf(storage(), list)).to.deep.equal(order);
  });
}

function completeness(storage: () => Storage, kind: RuleKind): void {
  const wrongOrders: readonly { title: string; wrong: (order: RuleOrder, foreign: RuleOrder) => RuleOrder }[] = [
    { title: 'lists a rule twice', wrong: (order) => [...order, order[0]!] },
    { title: 'lists a rule twice instead of another one', wrong: (order) => [order[0]!, order[0]!] },
    { title: 'lacks a rule', wrong: (order) => order.slice(1) },
    { title: 'lists nothing', wrong: () => [] },
    { title: 'lists a rule of another zone', wrong: (order, foreign) => [...order, foreign[0]!] },
    { title: 'lists a rule of another zone instead of its own', wrong: (order, foreign) => [order[0]!, foreign[0]!] },
    { title: 'lists a rule that is not there', wrong: (order) => [...order, aRuleId()] },
  ];
  for (const { title, wrong } of wrongOrders) {
    it(`is rejected, and undone, when it ${title}`, async () => {
      const own = await storedZoneWithRules(storage(), 2, kind);
      const foreign = await storedZoneWithRules(storage(), 1, kind);
      await rejectionOf(reordered(storage(), own.list, wrong(own.order, foreign.order)));
      expect(await orderOf(storage(), own.list)).to.deep.equal(own.order);
    });
  }

  it('is rejected, and undone, when it lists a rule of another kind', async () => {
    const { list, order } = await storedZoneWithRules(storage(), 2, kind);
    const another: RuleList = { zone: list.zone, kind: 'rewriteRule' };
    await rejectionOf(reordered(storage(), another, order));
    expect(await orderOf(storage(), another)).to.deep.equal([]);
    expect(await orderOf(storage(), list)).to.deep.equal(order);
  });

  it('is rejected, and undone, when it lacks the rule that the unit added', async () => {
    const { list, order } = await storedZoneWithRules(storage(), 1, kind);
    const added = aRule(kind);
    const adding = storage().unitOfWork.run(({ zones, rules }) =>
      zones.lock(list.zone).andThen(() => rules.add(list, added)),
    );
    await rejectionOf(adding);
    expect((await rulesOf(storage(), list)).map(({ id }) => id)).to.deep.equal(order);
    const again = { ...added, id: aRuleId() };
    expect(await seen(storage(), ({ rules }) => rules.clashes(list, again))).to.deep.equal([]);
  });

  it('is rejected, and undone, when it still lists the rule that the unit removed', async () => {
    const { list, order } = await storedZoneWithRules(storage(), 2, kind);
    const removing = storage().unitOfWork.run(({ zones, rules }) =>
      zones.lock(list.zone).andThen(() => rules.remove(list, order[0]!)),
    );
    await rejectionOf(removing);
    expect((await rulesOf(storage(), list)).map(({ id }) => id)).to.deep.equal(order);
  });

  it('need not be right before the unit ends', async () => {
    const { list, order } = await storedZoneWithRules(storage(), 1, kind);
    const added = aRule(kind);
    await done(storage(), ({ zones, rules }) =>
      zones
        .lock(list.zone)
        .andThen(() => rules.saveOrder(list, [added.id]))
        .andThen(() => rules.add(list, added))
        .andThen(() => rules.remove(list, order[0]!)),
    );
    expect((await rulesOf(storage(), list)).map(({ id }) => id)).to.deep.equal([added.id]);
  });
}

function revisions(storage: () => Storage, kind: RuleKind): void {
  type Writes = Parameters<typeof done<unknown>>[1];

  const writes: readonly {
    readonly title: string;
    readonly write: (list: RuleList, order: RuleOrder) => Writes;
  }[] = [
    {
      title: 'a reordering',
      write:
        (list, order) =>
        ({ rules }) =>
          rules.saveOrder(list, order.toReversed()),
    },
    {
      title: 'an order that is what it was',
      write:
        (list, order) =>
        ({ rules }) =>
          rules.saveOrder(list, order),
    },
    {
      title: 'an addition',
      write: (list, order) => {
        const rule = aRule(kind);
        return ({ rules }) => rules.add(list, rule).andThen(() => rules.saveOrder(list, [...order, rule.id]));
      },
    },
    {
      title: 'a change of one rule',
      write:
        (list, [id]) =>
        ({ rules }) =>
          rules.save(list, aRule(kind, { id: id! })),
    },
    {
      title: 'a removal',
      write:
        (list, [id, ...others]) =>
        ({ rules }) =>
          rules.remove(list, id!).andThen(() => rules.saveOrder(list, others)),
    },
    {
      title: 'a rewrite that changes rules where they are',
      write: (list, order) => {
        const changed = order.map((id) => aRule(kind, { id }));
        return ({ rules }) => rules.rewrite(list, { removed: [], changed, added: [] });
      },
    },
  ];
  for (const { title, write } of writes) {
    it(`grows with ${title}, and that of another list does not`, async () => {
      const { list, order } = await storedZoneWithRules(storage(), 2, kind);
      const another: RuleList = { zone: list.zone, kind: 'rewriteRule' };
      const { list: elsewhere } = await storedZoneWithRules(storage(), 2, kind);
      const read = async (of: RuleList) => (await seen(storage(), ({ rules }) => rules.order(of))).revision;
      const before = [await read(list), await read(another), await read(elsewhere)];
      const work = write(list, order);
      await done(storage(), (repositories) => repositories.zones.lock(list.zone).andThen(() => work(repositories)));
      expect(await read(list)).to.be.greaterThan(before[0]!);
      expect([await read(another), await read(elsewhere)]).to.deep.equal(before.slice(1));
    });
  }

  it('is told with every page of the list, and does not grow by reads', async () => {
    const { list } = await storedZoneWithRules(storage(), 2, kind);
    const { revision } = await seen(storage(), ({ rules }) => rules.order(list));
    for (const [names, page] of [[[], wholeList] as const, [['none'], { page: 3, itemsPerPage: 0 }] as const]) {
      expect((await seen(storage(), ({ rules }) => rules.list(list, names, page))).revision).to.equal(revision);
    }
    await seen(storage(), ({ rules }) => rules.all(list));
    expect((await seen(storage(), ({ rules }) => rules.order(list))).revision).to.equal(revision);
  });

  it('stays when the unit is undone', async () => {
    const { list, order } = await storedZoneWithRules(storage(), 2, kind);
    const before = await seen(storage(), ({ rules }) => rules.order(list));
    await storage().unitOfWork.run(({ rules }) =>
      rules
        .save(list, aRule(kind, { id: order[0]! }))
        .andThen(() => rules.saveOrder(list, order))
        .andThen(() => errAsync('undo')),
    );
    expect(await seen(storage(), ({ rules }) => rules.order(list))).to.deep.equal(before);
  });
}
