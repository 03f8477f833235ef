import { type PageRequest, type RuleKind, type RuleList, ruleKinds, type WrittenRule } from '@zonewright/core';
import { expect } from 'chai';
import { addRules, rulesOf, storedZone, storedZoneWithRules } from './arrangements.ts';
import { aRule, aRuleId, aZoneId, conditionsOn, wholeList } from './builders.ts';
import { freshStorage } from './fresh.ts';
import { done, errorOf, seen } from './results.ts';
import { ruleOrderContract } from './rule-order.ts';
import { ruleRaces } from './rule-races.ts';
import { ruleRewriteContract } from './rule-rewrites.ts';
import { ruleWriteContract } from './rule-writes.ts';
import type { OpenStorage, Storage } from './storage.ts';

/** A kind with a unique key, and one without: no adapter can tell more about a kind. */
const kinds = ['configurationRule', 'accessRule'] as const satisfies readonly RuleKind[];

/** Every adapter of the port must pass this unchanged. */
export function rulesContract(adapter: string, open: OpenStorage): void {
  describe(`Rules contract: ${adapter}`, () => {
    const storage = freshStorage(open);

    for (const kind of kinds) {
      describe(kind, () => {
        describe('list', () => listing(storage, kind));
        describe('byId', () => reading(storage, kind));
        describe('clashes', () => clashing(storage, kind));
        ruleOrderContract(storage, kind);
        ruleWriteContract(storage, kind);
        describe('rewrite', () => ruleRewriteContract(storage, kind));
        describe('writes at the same time', () => ruleRaces(storage, kind));
      });
    }
    describe('lists', () => separation(storage));
  });
}

/** A zone with rules of these names, in this order. */
async function zoneWith(storage: Storage, kind: RuleKind, names: readonly string[]) {
  const { zone } = await storedZone(storage);
  const list: RuleList = { zone: zone.id, kind };
  const rules = names.map((name) => aRule(kind, { name }));
  await addRules(storage, list, rules);
  return { list, rules };
}

function listing(storage: () => Storage, kind: RuleKind): void {
  const listed = async (list: RuleList, names: readonly string[], page: PageRequest = wholeList) => {
    const { items, totalItems } = await seen(storage(), ({ rules }) => rules.list(list, names, page));
    return {
      names: items.map(({ content }) => content.value.name),
      orders: items.map(({ order }) => order),
      totalItems,
    };
  };
  const named = (names: readonly string[]) => zoneWith(storage(), kind, names);

  it('lists the rules of that zone in evaluation order', async () => {
    const { list } = await named(['c', 'a', 'b']);
    await named(['elsewhere']);
    expect(await listed(list, [])).to.deep.equal({ names: ['c', 'a', 'b'], orders: [1, 2, 3], totalItems: 3 });
  });

  it('shows every one of them where no page is asked for', async () => {
    const { list, rules } = await named(['c', 'a', 'b']);
    const all = await seen(storage(), (repositories) => repositories.rules.all(list));
    expect(all.map(({ id, order }) => [id, order])).to.deep.equal(rules.map(({ id }, index) => [id, index + 1]));
    expect(all).to.deep.equal(await rulesOf(storage(), list));
  });

  it('lists nothing in a zone without rules, and in a zone that is not there', async () => {
    const { zone } = await storedZone(storage());
    for (const id of [zone.id, aZoneId()]) {
      const list: RuleList = { zone: id, kind };
      expect(await listed(list, [])).to.deep.equal({ names: [], orders: [], totalItems: 0 });
      expect(await seen(storage(), ({ rules }) => rules.all(list))).to.deep.equal([]);
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
      const { list } = await named(['Caché', 'route', '50%', 'a_b', 'axb', 'c\\d']);
      expect(await listed(list, names)).to.deep.equal({ names: finds, orders, totalItems: finds.length });
    });
  }

  it('cuts the list into pages, each with the total', async () => {
    const { list } = await named(['e1', 'd2', 'c3', 'b4', 'other', 'a5']);
    const filter = ['1', '2', '3', '4', '5'];
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await listed(list, filter, { page, itemsPerPage: 2 }));
    expect(pages.map(({ names }) => names)).to.deep.equal([['e1', 'd2'], ['c3', 'b4'], ['a5'], []]);
    expect(pages.map(({ totalItems }) => totalItems)).to.deep.equal([5, 5, 5, 5]);
  });

  it('gives only the total when no item is asked for', async () => {
    const { list } = await named(['a', 'b']);
    const found = await listed(list, [], { page: 1, itemsPerPage: 0 });
    expect(found).to.deep.equal({ names: [], orders: [], totalItems: 2 });
  });
}

function reading(storage: () => Storage, kind: RuleKind): void {
  it('shows the rule as it was written, with its position', async () => {
    const { list, zoneId } = await storedZoneWithRules(storage(), 2, kind);
    const members = { description: 'two\nlines', enabled: false, stopOnMatch: true };
    const rule = aRule(kind, { name: 'Straße 東京', path: '/Ünïcode', members });
    await addRules(storage(), list, [rule]);
    const found = await seen(storage(), ({ rules }) => rules.byId(list, rule.id));
    const { createdAt, updatedAt, content, ...rest } = found;
    expect(rest).to.deep.equal({ id: rule.id, zoneId, kind, order: 3, revision: 1 });
    expect(content.text).to.equal(rule.content.text);
    expect(content.value).to.deep.equal(rule.content.value);
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
  });

  it('does not find a rule that is not there, or that is in another zone', async () => {
    const { list } = await storedZoneWithRules(storage(), 1, kind);
    const second = await storedZoneWithRules(storage(), 1, kind);
    for (const id of [aRuleId(), second.rules[0]!.id]) {
      const read = storage().unitOfWork.view(({ rules }) => rules.byId(list, id));
      expect(await errorOf(read)).to.deep.equal({ type: 'RuleNotFound' });
    }
  });
}

function clashing(storage: () => Storage, kind: RuleKind): void {
  const clashes = (list: RuleList, rule: WrittenRule) => seen(storage(), ({ rules }) => rules.clashes(list, rule));
  const nameTaken = { type: 'RuleNameTaken' };
  // What a rule looks at may be another one's where the kind has no unique key.
  const keyTaken = ruleKinds[kind].uniqueKey === undefined ? [] : [{ type: 'RuleKeyTaken' }];

  const stored = async () => {
    const { zone } = await storedZone(storage());
    const [list, rule] = [{ zone: zone.id, kind }, aRule(kind, { name: 'Föhn', path: '/a' })];
    await addRules(storage(), list, [rule]);
    return { list, rule };
  };

  it('finds none for a rule that differs in everything', async () => {
    const { list } = await stored();
    expect(await clashes(list, aRule(kind))).to.deep.equal([]);
  });

  it('finds a name that differs in letter case only', async () => {
    const { list } = await stored();
    expect(await clashes(list, aRule(kind, { name: 'FÖHN' }))).to.deep.equal([nameTaken]);
  });

  it(`finds ${keyTaken.length > 0 ? 'conditions that mean the same' : 'nothing wrong with the same conditions'}`, async () => {
    const { list } = await stored();
    const { conditions } = conditionsOn('/a') as { conditions: object[] };
    const same = { conditions: { logic: 'OR', conditions: [...conditions, ...conditions] as never[] } };
    expect(await clashes(list, aRule(kind, { members: same }))).to.deep.equal(keyTaken);
  });

  it('finds all clashes at once, also with two different rules', async () => {
    const { list } = await stored();
    const both = aRule(kind, { name: 'Föhn', path: '/a' });
    expect(await clashes(list, both)).to.have.deep.members([nameTaken, ...keyTaken]);
    await addRules(storage(), list, [aRule(kind, { path: '/b' })]);
    const ofTwo = aRule(kind, { name: 'Föhn', path: '/b' });
    expect(await clashes(list, ofTwo)).to.have.deep.members([nameTaken, ...keyTaken]);
  });

  it('finds no clash of a rule with itself', async () => {
    const { list, rule } = await stored();
    expect(await clashes(list, rule)).to.deep.equal([]);
  });

  it('finds no clash with rules of another zone', async () => {
    await stored();
    const { zone } = await storedZone(storage());
    expect(await clashes({ zone: zone.id, kind }, aRule(kind, { name: 'Föhn', path: '/a' }))).to.deep.equal([]);
  });
}

function separation(storage: () => Storage): void {
  const [one, other] = kinds;

  /** Two lists of one zone, of which the first has a rule. */
  const twoLists = async () => {
    const { zone } = await storedZone(storage());
    const [list, another] = [{ zone: zone.id, kind: one } as const, { zone: zone.id, kind: other } as const];
    const rule = aRule(one);
    await addRules(storage(), list, [rule]);
    return { list, another, rule };
  };

  it('of two kinds in one zone, and of one kind in two zones, may have the same names and keys', async () => {
    const [{ zone }, { zone: elsewhere }] = [await storedZone(storage()), await storedZone(storage())];
    const same = { name: 'Same', path: '/same' };
    const lists = [
      { zone: zone.id, kind: one },
      { zone: zone.id, kind: other },
      { zone: elsewhere.id, kind: one },
    ];
    for (const list of lists) {
      expect(await seen(storage(), ({ rules }) => rules.clashes(list, aRule(list.kind, same)))).to.deep.equal([]);
      await addRules(storage(), list, [aRule(list.kind, same)]);
    }
    for (const list of lists) expect(await rulesOf(storage(), list)).to.have.lengthOf(1);
  });

  it('do not show rules of the other kind', async () => {
    const { another, rule } = await twoLists();
    const read = storage().unitOfWork.view(({ rules }) => rules.byId(another, rule.id));
    expect(await errorOf(read)).to.deep.equal({ type: 'RuleNotFound' });
    const page = await seen(storage(), ({ rules }) => rules.list(another, [], wholeList));
    expect(page).to.deep.equal({ items: [], totalItems: 0, revision: 0 });
    expect(await seen(storage(), ({ rules }) => rules.all(another))).to.deep.equal([]);
  });

  it('do not lose rules of the other kind by removals and rewrites', async () => {
    const { list, another, rule } = await twoLists();
    const before = await rulesOf(storage(), list);
    await done(storage(), ({ rules }) =>
      rules
        .remove(another, rule.id)
        .andThen(() => rules.rewrite(another, { removed: [rule.id], changed: [], added: [] })),
    );
    expect(await rulesOf(storage(), list)).to.deep.equal(before);
  });
}
