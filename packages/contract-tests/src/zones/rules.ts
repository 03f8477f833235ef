import type { PageRequest, RuleKind, RuleList } from '@zonewright/core';
import { expect } from 'chai';
import { addRules, rulesOf, storedZone, storedZoneWithRules } from '../arrangements/index.ts';
import { aRule, aRuleId, aZoneId, wholeList } from '../builders/index.ts';
import { contract } from '../fresh-storage.ts';
import { errorOf, readView } from '../results.ts';
import type { Storage } from '../storage.ts';
import { ruleRaces, sameConditionsAtOnce } from './rule-races.ts';

/** A kind with a unique key and one without: adapters know no other differences between kinds. */
const kinds = ['configurationRule', 'accessRule'] as const satisfies readonly RuleKind[];

/** Every adapter of the port must pass this unchanged. */
export const rulesContract = contract('Rules contract', (storage) => {
  for (const kind of kinds) {
    describe(kind, () => {
      describe('list', () => listing(storage, kind));
      describe('byId', () => reading(storage, kind));
      describe('concurrent writes', () => sameConditionsAtOnce(storage, kind));
    });
  }
  describe('lists', () => separation(storage));
  describe('concurrent writes', () => ruleRaces(storage, kinds[0]));
});

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
    const { items, totalItems } = await readView(storage(), ({ rules }) => rules.list(list, names, page));
    return {
      names: items.map(({ content }) => content.value.name),
      orders: items.map(({ order }) => order),
      totalItems,
    };
  };
  const named = (names: readonly string[]) => zoneWith(storage(), kind, names);

  it('lists the rules of the zone in evaluation order', async () => {
    const { list } = await named(['c', 'a', 'b']);
    await named(['elsewhere']);
    expect(await listed(list, [])).to.deep.equal({ names: ['c', 'a', 'b'], orders: [1, 2, 3], totalItems: 3 });
  });

  it('lists nothing in a zone without rules, and in a zone that does not exist', async () => {
    const { zone } = await storedZone(storage());
    for (const id of [zone.id, aZoneId()]) {
      const list: RuleList = { zone: id, kind };
      expect(await listed(list, [])).to.deep.equal({ names: [], orders: [], totalItems: 0 });
    }
  });

  const filters = [
    { title: 'part of a name', names: ['rou'], finds: ['route'], orders: [2] },
    { title: 'another case', names: ['ROUTE', 'cachÉ'], finds: ['Caché', 'route'], orders: [1, 2] },
    { title: 'any of several parts', names: ['route', '%'], finds: ['route', '50%'], orders: [2, 3] },
    { title: 'an underscore, literally', names: ['a_'], finds: ['a_b'], orders: [4] },
    { title: 'a backslash, literally', names: ['\\'], finds: ['c\\d'], orders: [6] },
    { title: 'nothing that exists', names: ['omega'], finds: [], orders: [] },
  ];
  for (const { title, names, finds, orders } of filters) {
    it(`lists the rules whose name contains ${title}, with their positions in the zone`, async () => {
      const { list } = await named(['Caché', 'route', '50%', 'a_b', 'axb', 'c\\d']);
      expect(await listed(list, names)).to.deep.equal({ names: finds, orders, totalItems: finds.length });
    });
  }

  it('pages the list, always with the total', async () => {
    const { list } = await named(['e1', 'd2', 'c3', 'b4', 'other', 'a5']);
    const filter = ['1', '2', '3', '4', '5'];
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await listed(list, filter, { page, itemsPerPage: 2 }));
    expect(pages.map(({ names }) => names)).to.deep.equal([['e1', 'd2'], ['c3', 'b4'], ['a5'], []]);
    expect(pages.map(({ totalItems }) => totalItems)).to.deep.equal([5, 5, 5, 5]);
  });

  it('returns only the total for a page without items', async () => {
    const { list } = await named(['a', 'b']);
    const found = await listed(list, [], { page: 1, itemsPerPage: 0 });
    expect(found).to.deep.equal({ names: [], orders: [], totalItems: 2 });
  });
}

function reading(storage: () => Storage, kind: RuleKind): void {
  it('shows the rule as written, with its position', async () => {
    const { list, zoneId } = await storedZoneWithRules(storage(), 2, kind);
    const members = { description: 'two\nlines', enabled: false, stopOnMatch: true };
    const rule = aRule(kind, { name: 'Straße 東京', path: '/Ünïcode', members });
    await addRules(storage(), list, [rule]);
    const found = await readView(storage(), ({ rules }) => rules.byId(list, rule.id));
    const { createdAt, updatedAt, content, ...rest } = found;
    expect(rest).to.deep.equal({ id: rule.id, zoneId, kind, order: 3, revision: 2 });
    expect(content.text).to.equal(rule.content.text);
    expect(content.value).to.deep.equal(rule.content.value);
    expect(createdAt).to.be.an.instanceOf(Date);
    expect(updatedAt).to.deep.equal(createdAt);
  });

  it('does not find a rule that does not exist, or that is in another zone', async () => {
    const { list } = await storedZoneWithRules(storage(), 1, kind);
    const second = await storedZoneWithRules(storage(), 1, kind);
    for (const id of [aRuleId(), second.rules[0]!.id]) {
      const read = storage().unitOfWork.view(({ rules }) => rules.byId(list, id));
      expect(await errorOf(read)).to.deep.equal({ type: 'RuleNotFound' });
    }
  });
}

function separation(storage: () => Storage): void {
  const [one, other] = kinds;

  /** Two lists of one zone; the first one has a rule. */
  const twoLists = async () => {
    const { zone } = await storedZone(storage());
    const [list, another] = [{ zone: zone.id, kind: one } as const, { zone: zone.id, kind: other } as const];
    const rule = aRule(one);
    await addRules(storage(), list, [rule]);
    return { list, another, rule };
  };

  it('of two kinds in a zone, and of one kind in two zones, may share names and keys', async () => {
    const [{ zone }, { zone: elsewhere }] = [await storedZone(storage()), await storedZone(storage())];
    const same = { name: 'Same', path: '/same' };
    const lists = [
      { zone: zone.id, kind: one },
      { zone: zone.id, kind: other },
      { zone: elsewhere.id, kind: one },
    ];
    for (const list of lists) {
      await addRules(storage(), list, [aRule(list.kind, same)]);
    }
    for (const list of lists) expect(await rulesOf(storage(), list)).to.have.lengthOf(1);
  });

  it('do not show rules of the other kind', async () => {
    const { another, rule } = await twoLists();
    const read = storage().unitOfWork.view(({ rules }) => rules.byId(another, rule.id));
    expect(await errorOf(read)).to.deep.equal({ type: 'RuleNotFound' });
    const page = await readView(storage(), ({ rules }) => rules.list(another, [], wholeList));
    expect(page).to.deep.equal({ items: [], totalItems: 0, revision: 0 });
  });
}
