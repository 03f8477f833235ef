import {
  jsonDocument,
  type PageRequest,
  RuleDescription,
  RuleName,
  type RuleOrder,
  SettingsOverrides,
  type ZoneId,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync } from 'neverthrow';
import { addRules, rulesOf, storedZone, storedZoneWithRules } from './arrangements.ts';
import { aRule, aRuleId, aZoneId, conditionsOn } from './builders.ts';
import { ruleRaces } from './configuration-rule-races.ts';
import { freshStorage } from './fresh.ts';
import { done, errorOf, okOf, rejectionOf, seen } from './results.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** Every adapter of the port must pass this unchanged. */
export function configurationRulesContract(adapter: string, open: OpenStorage): void {
  describe(`ConfigurationRules contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    describe('list', () => listing(storage));
    describe('byId', () => reading(storage));
    describe('clashes', () => clashing(storage));
    describe('order and saveOrder', () => ordering(storage));
    describe('the order at the end of a unit', () => completeness(storage));
    describe('add', () => addition(storage));
    describe('save', () => saving(storage));
    describe('remove', () => removal(storage));
    describe('writes at the same time', () => ruleRaces(storage));
  });
}

const nameKept = (name: string) => ({ name: RuleName.parse(name) });

/** A zone with rules of these names, in this order. */
async function zoneWith(storage: Storage, names: readonly string[]) {
  const { zone } = await storedZone(storage);
  const rules = names.map((name) => aRule({ zoneId: zone.id, ...nameKept(name) }));
  await addRules(storage, zone.id, rules);
  return { zoneId: zone.id, rules };
}

function listing(storage: () => Storage): void {
  const listed = async (zone: ZoneId, names: readonly string[], page: PageRequest = { page: 1, itemsPerPage: 100 }) => {
    const { items, totalItems } = await seen(storage(), ({ configurationRules }) =>
      configurationRules.list(zone, names, page),
    );
    return { names: items.map(({ name }) => name as string), orders: items.map(({ order }) => order), totalItems };
  };

  it('lists the rules of that zone in evaluation order', async () => {
    const { zoneId } = await zoneWith(storage(), ['c', 'a', 'b']);
    await zoneWith(storage(), ['elsewhere']);
    expect(await listed(zoneId, [])).to.deep.equal({ names: ['c', 'a', 'b'], orders: [1, 2, 3], totalItems: 3 });
  });

  it('lists nothing in a zone without rules, and in a zone that is not there', async () => {
    const { zone } = await storedZone(storage());
    for (const id of [zone.id, aZoneId()]) {
      expect(await listed(id, [])).to.deep.equal({ names: [], orders: [], totalItems: 0 });
    }
  });

  const filters = [
    { title: 'part of a name', names: ['rou'], finds: ['route'], orders: [2] },
    { title: 'another letter case', names: ['ROUTE', 'cachÉ'], finds: ['Caché', 'route'], orders: [1, 2] },
    { title: 'any of several parts', names: ['route', '%'], finds: ['route', '50%'], orders: [2, 3] },
    { title: 'an underscore, literally', names: ['a_'], finds: ['a_b'], orders: [4] },
    { title: 'a backslash, literally', names: ['\\'], finds: ['c\\d'], orders: [6] },
    { title: 'nothing that is there', names: ['omega'], finds: [], orders: [] },
  ];
  for (const { title, names, finds, orders } of filters) {
    it(`lists the rules whose name contains ${title}, with their positions in the zone`, async () => {
      const { zoneId } = await zoneWith(storage(), ['Caché', 'route', '50%', 'a_b', 'axb', 'c\\d']);
      expect(await listed(zoneId, names)).to.deep.equal({ names: finds, orders, totalItems: finds.length });
    });
  }

  it('cuts the list into pages, each with the total', async () => {
    const { zoneId } = await zoneWith(storage(), ['e1', 'd2', 'c3', 'b4', 'other', 'a5']);
    const filter = ['1', '2', '3', '4', '5'];
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await listed(zoneId, filter, { page, itemsPerPage: 2 }));
    expect(pages.map(({ names }) => names)).to.deep.equal([['e1', 'd2'], ['c3', 'b4'], ['a5'], []]);
    expect(pages.map(({ totalItems }) => totalItems)).to.deep.equal([5, 5, 5, 5]);
  });

  it('gives only the total when no item is asked for', async () => {
    const { zoneId } = await zoneWith(storage(), ['a', 'b']);
    const found = await listed(zoneId, [], { page: 1, itemsPerPage: 0 });
    expect(found).to.deep.equal({ names: [], orders: [], totalItems: 2 });
  });
}

function reading(storage: () => Storage): void {
  it('shows the rule as it was written, with its position', async () => {
    const { zoneId } = await storedZoneWithRules(storage(), 2);
    const rule = aRule({
      zoneId,
      ...nameKept('Straße 東京'),
      description: RuleDescription.parse('two\nlines'),
      conditions: jsonDocument(conditionsOn('/Ünïcode')),
      enabled: false,
      stopOnMatch: true,
      settingsOverrides: jsonDocument(SettingsOverrides.parse({ processingSsi: false })),
    });
    await addRules(storage(), zoneId, [rule]);
    const found = await seen(storage(), ({ configurationRules }) => configurationRules.byId(zoneId, rule.id));
    const { createdAt, updatedAt, ...rest } = found;
    expect(rest).to.deep.equal({ ...rule, order: 3, revision: 1 });
    expect(found.conditions.text).to.equal(rule.conditions.text);
    expect(found.settingsOverrides.text).to.equal(rule.settingsOverrides.text);
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
  });

  it('does not find a rule that is not there, or that is in another zone', async () => {
    const [first, second] = [await storedZoneWithRules(storage(), 1), await storedZoneWithRules(storage(), 1)];
    for (const id of [aRuleId(), second.rules[0]!.id]) {
      const read = storage().unitOfWork.view(({ configurationRules }) => configurationRules.byId(first.zoneId, id));
      expect(await errorOf(read)).to.deep.equal({ type: 'RuleNotFound' });
    }
  });
}

function clashing(storage: () => Storage): void {
  const clashes = (rule: ReturnType<typeof aRule>) =>
    seen(storage(), ({ configurationRules }) => configurationRules.clashes(rule));
  const taken = { name: { type: 'RuleNameTaken' }, conditions: { type: 'RuleConditionsTaken' } };

  const stored = async () => {
    const { zone } = await storedZone(storage());
    const rule = aRule({ zoneId: zone.id, ...nameKept('Föhn'), conditions: jsonDocument(conditionsOn('/a')) });
    await addRules(storage(), zone.id, [rule]);
    return rule;
  };

  it('finds none for a rule that differs in both', async () => {
    const { zoneId } = await stored();
    expect(await clashes(aRule({ zoneId }))).to.deep.equal([]);
  });

  it('finds a name that differs in letter case only', async () => {
    const { zoneId } = await stored();
    expect(await clashes(aRule({ zoneId, ...nameKept('FÖHN') }))).to.deep.equal([taken.name]);
  });

  it('finds conditions that mean the same', async () => {
    const { zoneId, conditions } = await stored();
    const twice = { logic: 'OR', conditions: [...conditions.value.conditions, ...conditions.value.conditions] };
    const same = jsonDocument({ ...conditions.value, ...twice });
    expect(await clashes(aRule({ zoneId, conditions: same }))).to.deep.equal([taken.conditions]);
  });

  it('finds both at once, also with two different rules', async () => {
    const { zoneId, name, conditions } = await stored();
    expect(await clashes(aRule({ zoneId, name, conditions }))).to.have.deep.members([taken.name, taken.conditions]);
    const another = aRule({ zoneId });
    await addRules(storage(), zoneId, [another]);
    expect(await clashes(aRule({ zoneId, name, conditions: another.conditions }))).to.have.deep.members([
      taken.name,
      taken.conditions,
    ]);
  });

  it('finds no clash of a rule with itself', async () => {
    expect(await clashes(await stored())).to.deep.equal([]);
  });

  it('finds no clash with rules of another zone', async () => {
    const { name, conditions } = await stored();
    const { zone } = await storedZone(storage());
    expect(await clashes(aRule({ zoneId: zone.id, name, conditions }))).to.deep.equal([]);
  });
}

/** Replaces the order of a zone; what the unit resolves to. */
const reordered = ({ unitOfWork }: Storage, zone: ZoneId, order: RuleOrder) =>
  unitOfWork.run(({ zones, configurationRules }) =>
    zones.lock(zone).andThen(() => configurationRules.saveOrder(zone, order)),
  );

function ordering(storage: () => Storage): void {
  const orderOf = (zone: ZoneId) => seen(storage(), ({ configurationRules }) => configurationRules.order(zone));

  it('is empty in a new zone, and in a zone that is not there', async () => {
    const { zone } = await storedZone(storage());
    expect(await orderOf(zone.id)).to.deep.equal([]);
    expect(await orderOf(aZoneId())).to.deep.equal([]);
  });

  it('is what was saved last, and decides the positions', async () => {
    const { zoneId, order } = await storedZoneWithRules(storage(), 4);
    const shuffled = [order[2]!, order[0]!, order[3]!, order[1]!];
    await okOf(reordered(storage(), zoneId, shuffled));
    expect(await orderOf(zoneId)).to.deep.equal(shuffled);
    expect((await rulesOf(storage(), zoneId)).map((rule) => [rule.id, rule.order])).to.deep.equal(
      shuffled.map((id, index) => [id, index + 1]),
    );
  });

  it('leaves other zones and the rules themselves alone', async () => {
    const [first, second] = [await storedZoneWithRules(storage(), 2), await storedZoneWithRules(storage(), 2)];
    await okOf(reordered(storage(), first.zoneId, first.order.toReversed()));
    expect(await orderOf(second.zoneId)).to.deep.equal(second.order);
    const rules = await rulesOf(storage(), first.zoneId);
    expect(rules.map(({ revision }) => revision)).to.deep.equal([1, 1]);
  });

  it('stays when the unit is undone', async () => {
    const { zoneId, order } = await storedZoneWithRules(storage(), 2);
    await storage().unitOfWork.run(({ zones, configurationRules }) =>
      zones
        .lock(zoneId)
        .andThen(() => configurationRules.saveOrder(zoneId, order.toReversed()))
        .andThen(() => errAsync('undo')),
    );
    expect(await orderOf(zoneId)).to.deep.equal(order);
  });
}

function completeness(storage: () => Storage): void {
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
      const [own, foreign] = [await storedZoneWithRules(storage(), 2), await storedZoneWithRules(storage(), 1)];
      await rejectionOf(reordered(storage(), own.zoneId, wrong(own.order, foreign.order)));
      const kept = await seen(storage(), ({ configurationRules }) => configurationRules.order(own.zoneId));
      expect(kept).to.deep.equal(own.order);
    });
  }

  it('is rejected, and undone, when it lacks the rule that the unit added', async () => {
    const { zoneId, order } = await storedZoneWithRules(storage(), 1);
    const added = aRule({ zoneId });
    const adding = storage().unitOfWork.run(({ zones, configurationRules }) =>
      zones.lock(zoneId).andThen(() => configurationRules.add(added)),
    );
    await rejectionOf(adding);
    expect((await rulesOf(storage(), zoneId)).map(({ id }) => id)).to.deep.equal(order);
    const again = aRule({ zoneId, name: added.name, conditions: added.conditions });
    expect(await seen(storage(), ({ configurationRules }) => configurationRules.clashes(again))).to.deep.equal([]);
  });

  it('is rejected, and undone, when it still lists the rule that the unit removed', async () => {
    const { zoneId, order } = await storedZoneWithRules(storage(), 2);
    const removing = storage().unitOfWork.run(({ zones, configurationRules }) =>
      zones.lock(zoneId).andThen(() => configurationRules.remove(zoneId, order[0]!)),
    );
    await rejectionOf(removing);
    expect((await rulesOf(storage(), zoneId)).map(({ id }) => id)).to.deep.equal(order);
  });

  it('need not be right before the unit ends', async () => {
    const { zoneId, order } = await storedZoneWithRules(storage(), 1);
    const added = aRule({ zoneId });
    await done(storage(), ({ zones, configurationRules }) =>
      zones
        .lock(zoneId)
        .andThen(() => configurationRules.saveOrder(zoneId, [added.id]))
        .andThen(() => configurationRules.add(added))
        .andThen(() => configurationRules.remove(zoneId, order[0]!)),
    );
    expect((await rulesOf(storage(), zoneId)).map(({ id }) => id)).to.deep.equal([added.id]);
  });
}

function addition(storage: () => Storage): void {
  it('resolves to the stamp that is read back', async () => {
    const { zone } = await storedZone(storage());
    const rule = aRule({ zoneId: zone.id });
    const stamp = await done(storage(), ({ configurationRules }) =>
      configurationRules.saveOrder(zone.id, [rule.id]).andThen(() => configurationRules.add(rule)),
    );
    const { createdAt, updatedAt, revision } = (await rulesOf(storage(), zone.id))[0]!;
    expect(stamp).to.deep.equal({ createdAt, updatedAt, revision });
  });

  const attempt = async (given: Partial<ReturnType<typeof aRule>>) => {
    const { zone } = await storedZone(storage());
    const stored = aRule({ zoneId: zone.id, ...nameKept('Föhn'), conditions: jsonDocument(conditionsOn('/a')) });
    await addRules(storage(), zone.id, [stored]);
    const refused = aRule({ zoneId: zone.id, ...given });
    const error = await errorOf(
      storage().unitOfWork.run(({ zones, configurationRules }) =>
        zones
          .lock(zone.id)
          .andThen(() => configurationRules.saveOrder(zone.id, [stored.id, refused.id]))
          .andThen(() => configurationRules.add(refused)),
      ),
    );
    expect(
      (await rulesOf(storage(), zone.id)).map(({ id }) => id),
      'rules of the zone',
    ).to.deep.equal([stored.id]);
    return error;
  };

  it('refuses a name that another rule of the zone has, whatever the letter case', async () => {
    expect(await attempt(nameKept('FÖHN'))).to.deep.equal({ type: 'RuleNameTaken' });
  });

  it('refuses conditions that another rule of the zone has', async () => {
    const conditions = jsonDocument(conditionsOn('/a'));
    expect(await attempt({ conditions })).to.deep.equal({ type: 'RuleConditionsTaken' });
  });

  it('takes name and conditions that a rule of another zone has', async () => {
    const { rules } = await storedZoneWithRules(storage(), 1);
    const { zone } = await storedZone(storage());
    const { name, conditions } = rules[0]!;
    await addRules(storage(), zone.id, [aRule({ zoneId: zone.id, name, conditions })]);
  });
}

function saving(storage: () => Storage): void {
  const save = (rule: ReturnType<typeof aRule>) =>
    storage().unitOfWork.run(({ zones, configurationRules }) =>
      zones.lock(rule.zoneId).andThen(() => configurationRules.save(rule)),
    );

  it('replaces everything that is written, and keeps position and time of creation', async () => {
    const { zoneId, rules } = await storedZoneWithRules(storage(), 3);
    await storage().passTime(10);
    const before = (await rulesOf(storage(), zoneId))[1]!;
    const changed = aRule({ zoneId, id: rules[1]!.id, enabled: false, stopOnMatch: true });
    const stamp = await okOf(save(changed));
    const after = (await rulesOf(storage(), zoneId))[1]!;
    expect(after).to.deep.equal({ ...changed, ...stamp, order: 2 });
    expect(stamp).to.include({ revision: 2 });
    expect(stamp.createdAt).to.deep.equal(before.createdAt);
    expect(stamp.updatedAt.getTime()).to.be.greaterThan(before.updatedAt.getTime());
  });

  it('accepts a rule’s own name and conditions', async () => {
    const { rules } = await storedZoneWithRules(storage(), 2);
    expect((await okOf(save(rules[0]!))).revision).to.equal(2);
  });

  it('refuses the name of another rule of the zone', async () => {
    const { rules } = await storedZoneWithRules(storage(), 2);
    const { name } = rules[0]!;
    expect(await errorOf(save({ ...rules[1]!, name }))).to.deep.equal({ type: 'RuleNameTaken' });
  });

  it('refuses the conditions of another rule of the zone', async () => {
    const { rules } = await storedZoneWithRules(storage(), 2);
    const { conditions } = rules[0]!;
    expect(await errorOf(save({ ...rules[1]!, conditions }))).to.deep.equal({ type: 'RuleConditionsTaken' });
  });
}

function removal(storage: () => Storage): void {
  it('removes that rule only, and sets its name and conditions free', async () => {
    const { zoneId, rules, order } = await storedZoneWithRules(storage(), 3);
    const [first, second, third] = order;
    await done(storage(), ({ zones, configurationRules }) =>
      zones
        .lock(zoneId)
        .andThen(() => configurationRules.remove(zoneId, second!))
        .andThen(() => configurationRules.saveOrder(zoneId, [first!, third!])),
    );
    const left = (await rulesOf(storage(), zoneId)).map((rule) => [rule.id, rule.order]);
    expect(left).to.deep.equal([
      [first, 1],
      [third, 2],
    ]);
    const { name, conditions } = rules[1]!;
    await addRules(storage(), zoneId, [aRule({ zoneId, name, conditions })]);
  });

  it('does nothing to a rule of another zone, or to one that is not there', async () => {
    const [first, second] = [await storedZoneWithRules(storage(), 1), await storedZoneWithRules(storage(), 1)];
    for (const id of [second.order[0]!, aRuleId()]) {
      await done(storage(), ({ configurationRules }) => configurationRules.remove(first.zoneId, id));
    }
    expect(await rulesOf(storage(), first.zoneId)).to.have.lengthOf(1);
    expect(await rulesOf(storage(), second.zoneId)).to.have.lengthOf(1);
  });
}
