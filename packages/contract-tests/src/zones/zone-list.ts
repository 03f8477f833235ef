import { type OrganizationId, type Zone, type ZoneFilter, ZoneId, type ZoneSort, zoneSortKeys } from '@zonewright/core';
import { expect } from 'chai';
import { type Owner, removed, storedOwner, storedZone } from '../arrangements/index.ts';
import { aZoneName, type NewZone, uuid } from '../builders/index.ts';
import { readView, runUnit } from '../results.ts';
import type { Storage } from '../storage.ts';

const everything = { page: 1, itemsPerPage: 100 };

/** The contract of `Zones.list`, part of that port's contract. */
export function zoneListContract(storage: () => Storage): void {
  describe('filter', () => filtering(storage));
  describe('search', () => searching(storage));
  describe('sort', () => sorting(storage));
  describe('page', () => paging(storage));
}

const listed = (
  storage: Storage,
  filter: Partial<ZoneFilter> & { organizations: readonly OrganizationId[] },
  sort: readonly ZoneSort[] = [],
  page = everything,
) => readView(storage, ({ zones }) => zones.list({ tags: [], search: undefined, ...filter }, sort, page));

const namesOf = ({ items }: { items: readonly Zone[] }) => items.map(({ name }): string => name);

/** Adds zones with these names in this order, and resolves to them. */
async function named(storage: Storage, owner: Owner, names: readonly string[], given: Partial<NewZone> = {}) {
  const added: Zone[] = [];
  for (const name of names) {
    added.push((await storedZone(storage, { owner, name: aZoneName(name), ...given })).zone);
  }
  return added;
}

function filtering(storage: () => Storage): void {
  it('lists only the zones of the given organizations', async () => {
    const owners = [await storedOwner(storage()), await storedOwner(storage()), await storedOwner(storage())];
    const [first, second, third] = [owners[0]!, owners[1]!, owners[2]!];
    await named(storage(), first, ['a']);
    await named(storage(), second, ['b']);
    await named(storage(), third, ['c']);
    const { organizationId: one } = first;
    const { organizationId: two } = second;
    expect(namesOf(await listed(storage(), { organizations: [one, two] }))).to.deep.equal(['a', 'b']);
    expect(await listed(storage(), { organizations: [] })).to.deep.equal({ items: [], totalItems: 0 });
  });

  it('lists only the given zones of the given organizations, in every order', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    const [a, b, c] = await named(storage(), owner, ['zone a', 'zone b', 'zone c']);
    const [foreign] = await named(storage(), other, ['zone d']);
    const organizations = [owner.organizationId];
    const zones = [c!.id, a!.id, a!.id, foreign!.id, ZoneId.parse(uuid())];
    for (const sort of [[], ...zoneSortKeys.map((key) => [{ key, direction: 'asc' as const }])]) {
      for (const filter of [{}, { search: 'ZONE' }, { tags: [a!.tag] }]) {
        const found = await listed(storage(), { organizations, zones, ...filter }, sort);
        expect([namesOf(found), found.totalItems]).to.deep.equal([['zone a', 'zone c'], 2]);
      }
    }
    const several = zoneSortKeys.map((key) => ({ key, direction: 'asc' as const }));
    expect(namesOf(await listed(storage(), { organizations, zones }, several))).to.deep.equal(['zone a', 'zone c']);
    const second = await listed(storage(), { organizations, zones }, [], { page: 2, itemsPerPage: 1 });
    expect([namesOf(second), second.totalItems]).to.deep.equal([['zone c'], 2]);
    const gone = await listed(storage(), { organizations, zones: [b!.id], search: 'zone a' });
    expect(gone).to.deep.equal({ items: [], totalItems: 0 });
  });

  it('lists the zones with one of the given tags', async () => {
    const owner = await storedOwner(storage());
    const organizations = [owner.organizationId];
    for (const tag of ['prod', 'stage', 'dev'] as const) await named(storage(), owner, [`on ${tag}`], { tag });
    const found = await listed(storage(), { organizations, tags: ['stage', 'dev'] });
    expect(namesOf(found)).to.deep.equal(['on stage', 'on dev']);
    expect(found.totalItems).to.equal(2);
  });

  it('lists only zones that match all criteria', async () => {
    const [owner, other] = [await storedOwner(storage()), await storedOwner(storage())];
    await named(storage(), owner, ['shop one', 'blog'], { tag: 'prod' });
    await named(storage(), owner, ['shop two'], { tag: 'dev' });
    await named(storage(), other, ['shop three'], { tag: 'prod' });
    const found = await listed(storage(), { organizations: [owner.organizationId], tags: ['prod'], search: 'shop' });
    expect(namesOf(found)).to.deep.equal(['shop one']);
    expect(found.totalItems).to.equal(1);
  });

  it('lists each zone as it is read individually', async () => {
    const { zone, organizationId } = await storedZone(storage());
    expect(await listed(storage(), { organizations: [organizationId] })).to.deep.equal({
      items: [zone],
      totalItems: 1,
    });
  });
}

function searching(storage: () => Storage): void {
  const searches = [
    { title: 'part of the name', search: 'lph', finds: ['Alpha'] },
    { title: 'part of the name in another case', search: 'LPHA', finds: ['Alpha'] },
    { title: 'letters beyond ASCII in another case', search: 'ÜBER', finds: ['über uns'] },
    { title: 'a percent sign, literally', search: '0%', finds: ['100%'] },
    { title: 'an underscore, literally', search: 'a_b', finds: ['a_b'] },
    { title: 'a backslash, literally', search: 'x\\y', finds: ['x\\y'] },
    { title: 'a blank inside', search: 'r u', finds: ['über uns'] },
    { title: 'letters beyond ASCII in pieces', search: 'u\u0308ber', finds: ['über uns'] },
    { title: 'a quotation mark, literally', search: "'", finds: ["o'clock"] },
    { title: 'a full stop, literally', search: '.', finds: ['[a].b'] },
    { title: 'brackets, literally', search: '[a]', finds: ['[a].b'] },
    { title: 'a pattern, literally', search: '.*', finds: [] },
    { title: 'nothing that exists', search: 'omega', finds: [] },
    {
      title: 'the empty text',
      search: '',
      finds: ['Alpha', '100%', '1000', 'a_b', 'axb', 'x\\y', 'über uns', "o'clock", '[a].b'],
    },
  ];
  for (const { title, search, finds } of searches) {
    it(`finds ${title}`, async () => {
      const owner = await storedOwner(storage());
      await named(storage(), owner, ['Alpha', '100%', '1000', 'a_b', 'axb', 'x\\y', 'über uns', "o'clock", '[a].b']);
      const found = await listed(storage(), { organizations: [owner.organizationId], search });
      expect(namesOf(found)).to.deep.equal(finds);
      expect(found.totalItems).to.equal(finds.length);
    });
  }

  it('finds part of the id, in either case', async () => {
    const owner = await storedOwner(storage());
    const [first] = await named(storage(), owner, ['x', 'y', 'z']);
    const organizations = [owner.organizationId];
    for (const search of [first!.id, first!.id.slice(-6), first!.id.toUpperCase()]) {
      expect(namesOf(await listed(storage(), { organizations, search }))).to.deep.equal(['x']);
    }
  });

  it('finds no match that would span name and id', async () => {
    const owner = await storedOwner(storage());
    const [zone] = await named(storage(), owner, ['shop']);
    const search = `p${zone!.id.slice(0, 4)}`;
    expect(namesOf(await listed(storage(), { organizations: [owner.organizationId], search }))).to.deep.equal([]);
  });
}

function sorting(storage: () => Storage): void {
  const sorts: readonly { title: string; sort: readonly ZoneSort[]; gives: readonly string[] }[] = [
    { title: 'by id by default', sort: [], gives: ['b', 'A', 'c', 'a'] },
    {
      title: 'by name, case-insensitively, then by id',
      sort: [{ key: 'name', direction: 'asc' }],
      gives: ['A', 'a', 'b', 'c'],
    },
    {
      title: 'by name descending, then by id',
      sort: [{ key: 'name', direction: 'desc' }],
      gives: ['c', 'b', 'A', 'a'],
    },
    { title: 'by tag, then by id', sort: [{ key: 'tag', direction: 'asc' }], gives: ['a', 'b', 'A', 'c'] },
    { title: 'by tag descending, then by id', sort: [{ key: 'tag', direction: 'desc' }], gives: ['c', 'b', 'A', 'a'] },
    {
      title: 'by name, then by tag descending',
      sort: [
        { key: 'name', direction: 'asc' },
        { key: 'tag', direction: 'desc' },
      ],
      gives: ['A', 'a', 'b', 'c'],
    },
    {
      title: 'by name, then by tag',
      sort: [
        { key: 'name', direction: 'asc' },
        { key: 'tag', direction: 'asc' },
      ],
      gives: ['a', 'A', 'b', 'c'],
    },
  ];
  for (const { title, sort, gives } of sorts) {
    it(`sorts ${title}`, async () => {
      const owner = await storedOwner(storage());
      await named(storage(), owner, ['b', 'A'], { tag: 'prod' });
      await named(storage(), owner, ['c'], { tag: 'stage' });
      await named(storage(), owner, ['a'], { tag: 'dev' });
      expect(namesOf(await listed(storage(), { organizations: [owner.organizationId] }, sort))).to.deep.equal(gives);
    });
  }

  for (const key of ['createdAt', 'updatedAt'] as const) {
    it(`sorts by ${key} in both directions`, async () => {
      const owner = await storedOwner(storage());
      const organizations = [owner.organizationId];
      for (const name of ['old', 'middle', 'new']) {
        await named(storage(), owner, [name]);
        await storage().passTime(10);
      }
      const sorted = async (direction: 'asc' | 'desc') =>
        namesOf(await listed(storage(), { organizations }, [{ key, direction }]));
      expect(await sorted('asc')).to.deep.equal(['old', 'middle', 'new']);
      expect(await sorted('desc')).to.deep.equal(['new', 'middle', 'old']);
    });
  }

  it('sorts names by code point, whatever the locale', async () => {
    const owner = await storedOwner(storage());
    const names = ['z', 'ä', 'a-b', 'a b', 'ａ', '\u{1f600}', '10', '9'];
    await named(storage(), owner, names);
    const sorted = await listed(storage(), { organizations: [owner.organizationId] }, [
      { key: 'name', direction: 'asc' },
    ]);
    expect(namesOf(sorted)).to.deep.equal(['10', '9', 'a b', 'a-b', 'z', 'ä', 'ａ', '\u{1f600}']);
  });
}

function paging(storage: () => Storage): void {
  const names = ['a', 'b', 'c', 'd', 'e'];

  it('returns pages that together make up the list, each with the total', async () => {
    const owner = await storedOwner(storage());
    const organizations = [owner.organizationId];
    await named(storage(), owner, names);
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await listed(storage(), { organizations }, [], { page, itemsPerPage: 2 }));
    expect(pages.map(namesOf)).to.deep.equal([['a', 'b'], ['c', 'd'], ['e']]);
    expect(pages.map(({ totalItems }) => totalItems)).to.deep.equal([5, 5, 5]);
  });

  const searches = [{ search: undefined }, { search: 'zone' }];
  for (const { search } of searches) {
    const how = search === undefined ? 'without a search' : 'with a search';

    it(`returns the total without items for a page size of 0, ${how}`, async () => {
      const owner = await storedOwner(storage());
      await named(storage(), owner, ['zone 1', 'zone 2']);
      const page = { page: 1, itemsPerPage: 0 };
      const found = await listed(storage(), { organizations: [owner.organizationId], search }, [], page);
      expect(found).to.deep.equal({ items: [], totalItems: 2 });
    });

    it(`returns the total without items past the end, ${how}`, async () => {
      const owner = await storedOwner(storage());
      await named(storage(), owner, ['zone 1', 'zone 2']);
      const page = { page: 3, itemsPerPage: 1 };
      const found = await listed(storage(), { organizations: [owner.organizationId], search }, [], page);
      expect(found).to.deep.equal({ items: [], totalItems: 2 });
    });
  }

  it('keeps the total correct as zones come and go', async () => {
    const owner = await storedOwner(storage());
    const [first, second] = await named(storage(), owner, names);
    for (const zone of [first!, second!]) {
      await runUnit(storage(), (repositories) => removed(repositories, zone.id));
    }
    const found = await listed(storage(), { organizations: [owner.organizationId], tags: ['prod'] });
    expect(found.totalItems).to.equal(3);
  });
}
