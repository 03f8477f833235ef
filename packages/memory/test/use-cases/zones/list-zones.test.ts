import {
  type Caller,
  type ListZonesQuery,
  listZones,
  maskedBanToken,
  OrganizationId,
  type Role,
  type Zone,
  type ZoneSort,
} from '@zonewright/core';
import { expect } from 'chai';
import { aMember, anOrganization, anOutsider, callerOf, programOf, setRole } from '../../support/organizations.ts';
import { valueOf } from '../../support/outcomes.ts';
import { aWorld, inTables, type World } from '../../support/world.ts';
import { aZone } from '../../support/zones.ts';

const aQuery = (changes: Partial<ListZonesQuery> = {}): ListZonesQuery => ({
  organization: undefined,
  tags: [],
  search: undefined,
  sort: [],
  page: 1,
  itemsPerPage: 30,
  ...changes,
});

const list = (world: World, caller: Caller, changes: Partial<ListZonesQuery> = {}) =>
  valueOf(listZones(world)(caller, aQuery(changes)));

const brief = (zones: readonly Zone[]) => zones.map(({ name, tag }) => `${name} ${tag}`);

const listed = async (world: World, caller: Caller, changes: Partial<ListZonesQuery> = {}) =>
  brief((await list(world, caller, changes)).items);

/** A world whose only organization has zones of these names (`name`, or `name tag`), a second apart. */
const aWorldWithZones = async (...names: readonly string[]) => {
  const world = aWorld();
  const organization = anOrganization(world);
  const owner = aMember(world, organization, 'owner');
  const zones: Zone[] = [];
  for (const each of names) {
    const [name, tag = 'prod'] = each.split('/');
    zones.push(await aZone(world, owner, { name, tag }));
    world.clock.advance(1);
  }
  return { world, organization, owner, zones };
};

describe('listZones', () => {
  it('lists the zones of all organizations of the caller, and no others', async () => {
    const { world, owner } = await aWorldWithZones('mine');
    const shared = anOrganization(world);
    await aZone(world, aMember(world, shared, 'owner'), { name: 'shared' });
    await aZone(world, anOutsider(world), { name: 'foreign' });
    setRole(world, shared, owner.userId, 'viewer');
    const { items, totalItems } = await list(world, callerOf(world, owner.userId));
    expect(brief(items)).to.deep.equal(['mine prod', 'shared prod']);
    expect(totalItems).to.equal(2);
  });

  it('shows zones with full settings, as they were created', async () => {
    const { world, owner, zones } = await aWorldWithZones('a');
    expect((await list(world, owner)).items).to.deep.equal(zones);
  });

  it('gives somebody without an organization an empty list', async () => {
    const { world, organization, owner } = await aWorldWithZones('a');
    setRole(world, organization, owner.userId, undefined);
    expect(await list(world, callerOf(world, owner.userId))).to.deep.equal({ items: [], totalItems: 0 });
  });

  describe('with a filter by organization', () => {
    it('lists its zones only', async () => {
      const { world, owner } = await aWorldWithZones('a');
      const other = anOrganization(world);
      setRole(world, other, owner.userId, 'owner');
      const caller = callerOf(world, owner.userId);
      await aZone(world, caller, { name: 'b', organization: other });
      expect(await listed(world, caller, { organization: other })).to.deep.equal(['b prod']);
    });

    it('gives an empty list for one of others, and for one that does not exist', async () => {
      const { world, organization, owner } = await aWorldWithZones('a');
      expect(await list(world, anOutsider(world), { organization })).to.deep.equal({ items: [], totalItems: 0 });
      const nobodys = OrganizationId.parse(4711);
      expect(await list(world, owner, { organization: nobodys })).to.deep.equal({ items: [], totalItems: 0 });
    });
  });

  it('filters by any of several tags', async () => {
    const { world, owner } = await aWorldWithZones('a/prod', 'b/stage', 'c/dev', 'd/prod');
    expect(await listed(world, owner, { tags: ['prod'] })).to.deep.equal(['a prod', 'd prod']);
    expect(await listed(world, owner, { tags: ['stage', 'dev'] })).to.deep.equal(['b stage', 'c dev']);
  });

  describe('with a search', () => {
    const names = ['100%', '1000', 'a_b', 'aXb', 'a\\b', "o'clock", 'Ärger', 'a.b', '[a]'];
    const cases: readonly (readonly [search: string, ...found: string[]])[] = [
      ['%', '100%'],
      ['0%', '100%'],
      ['_', 'a_b'],
      ['a_b', 'a_b'],
      ['\\', 'a\\b'],
      ["'", "o'clock"],
      ['.', 'a.b'],
      ['.*'],
      ['[a]', '[a]'],
      ['100', '100%', '1000'],
      ['AXB', 'aXb'],
      ['ärger', 'Ärger'],
      ['ÄRGER', 'Ärger'],
      ['a\u0308rger', 'Ärger'],
      ['nowhere'],
    ];
    for (const [search, ...found] of cases) {
      it(`takes ${JSON.stringify(search)} literally and finds ${found.join(', ') || 'nothing'}`, async () => {
        const { world, owner } = await aWorldWithZones(...names);
        expect((await list(world, owner, { search })).items.map(({ name }) => name)).to.deep.equal(found);
      });
    }

    it('finds a zone by its id, whole or in part, in any letter case', async () => {
      const { world, owner, zones } = await aWorldWithZones('one', 'two');
      const id = zones[1]!.id;
      expect(await listed(world, owner, { search: id })).to.deep.equal(['two prod']);
      expect(await listed(world, owner, { search: id.toUpperCase() })).to.deep.equal(['two prod']);
      expect(await listed(world, owner, { search: id.slice(-12) })).to.deep.equal(['two prod']);
    });

    it('finds nothing by what lies between name and id', async () => {
      const { world, owner } = await aWorldWithZones('one');
      expect(await listed(world, owner, { search: '\n' })).to.deep.equal([]);
    });

    it('holds together with the other filters', async () => {
      const { world, owner } = await aWorldWithZones('shop/prod', 'shop/dev', 'blog/dev');
      expect(await listed(world, owner, { search: 'shop', tags: ['dev'] })).to.deep.equal(['shop dev']);
    });
  });

  describe('in an order', () => {
    const cases: readonly (readonly [order: string, ...zones: string[]])[] = [
      ['', 'b prod', 'A stage', 'c dev', 'a prod'],
      ['name asc', 'A stage', 'a prod', 'b prod', 'c dev'],
      ['name desc', 'c dev', 'b prod', 'A stage', 'a prod'],
      ['tag asc', 'c dev', 'b prod', 'a prod', 'A stage'],
      ['tag desc', 'A stage', 'b prod', 'a prod', 'c dev'],
      ['createdAt asc', 'b prod', 'A stage', 'c dev', 'a prod'],
      ['createdAt desc', 'a prod', 'c dev', 'A stage', 'b prod'],
      ['name asc, tag asc', 'a prod', 'A stage', 'b prod', 'c dev'],
      ['tag asc, name desc', 'c dev', 'b prod', 'a prod', 'A stage'],
      ['tag asc, createdAt desc', 'c dev', 'a prod', 'b prod', 'A stage'],
    ];
    for (const [order, ...expected] of cases) {
      it(`${order || 'that nobody asked for'}: equals come by id`, async () => {
        const { world, owner } = await aWorldWithZones('b', 'A/stage', 'c/dev', 'a');
        const sort = order.split(', ').flatMap((each) => {
          const [key, direction] = each.split(' ');
          return direction === undefined ? [] : [{ key, direction } as ZoneSort];
        });
        expect(await listed(world, owner, { sort })).to.deep.equal(expected);
      });
    }

    it('that was asked for or not: equals come by id, whichever was stored first', async () => {
      const { world, owner, zones } = await aWorldWithZones('same', 'same/dev');
      const [first] = zones;
      inTables(world, (tables) => {
        const row = tables.zones.get(first!.id)!;
        tables.zones.delete(row.id);
        tables.zones.set(row.id, row);
      });
      for (const sort of [[], [{ key: 'name', direction: 'asc' }], [{ key: 'name', direction: 'desc' }]] as const) {
        expect(await listed(world, owner, { sort })).to.deep.equal(['same prod', 'same dev']);
      }
    });

    it('updatedAt: by the last change of the zone', async () => {
      const { world, owner, zones } = await aWorldWithZones('a', 'b');
      inTables(world, (tables) =>
        tables.zones.set(zones[0]!.id, { ...tables.zones.get(zones[0]!.id)!, updatedAt: world.clock.now() }),
      );
      expect(await listed(world, owner, { sort: [{ key: 'updatedAt', direction: 'asc' }] })).to.deep.equal([
        'b prod',
        'a prod',
      ]);
      expect(await listed(world, owner, { sort: [{ key: 'updatedAt', direction: 'desc' }] })).to.deep.equal([
        'a prod',
        'b prod',
      ]);
    });
  });

  describe('by pages', () => {
    const cases: readonly (readonly [page: number, itemsPerPage: number, ...names: string[]])[] = [
      [1, 2, 'a', 'b'],
      [2, 2, 'c', 'd'],
      [3, 2, 'e'],
      [4, 2],
      [1, 5, 'a', 'b', 'c', 'd', 'e'],
      [1, 100, 'a', 'b', 'c', 'd', 'e'],
      [2, 100],
      [1, 0],
      [3, 0],
    ];
    for (const [page, itemsPerPage, ...names] of cases) {
      it(`shows ${names.join(', ') || 'nothing'} on page ${page} of ${itemsPerPage}, and the whole number`, async () => {
        const { world, owner } = await aWorldWithZones('a', 'b', 'c', 'd', 'e');
        const { items, totalItems } = await list(world, owner, { page, itemsPerPage });
        expect(items.map(({ name }) => name)).to.deep.equal(names);
        expect(totalItems).to.equal(5);
      });
    }

    it('counts only what the filter lets through', async () => {
      const { world, owner } = await aWorldWithZones('a', 'b/dev', 'c/dev');
      expect((await list(world, owner, { tags: ['dev'], itemsPerPage: 1 })).totalItems).to.equal(2);
    });
  });

  for (const [role, visible] of [
    ['owner', true],
    ['admin', true],
    ['editor', true],
    ['viewer', false],
  ] as const satisfies readonly (readonly [Role, boolean])[]) {
    it(`${visible ? 'shows the ban token to' : 'masks the ban token for'} a role of ${role}`, async () => {
      const { world, organization, zones } = await aWorldWithZones('a');
      const { items } = await list(world, aMember(world, organization, role));
      expect(items.map(({ banToken }) => banToken)).to.deep.equal([visible ? zones[0]!.banToken : maskedBanToken]);
    });
  }

  it('masks ban tokens for API tokens that may only read, and shows them to those that write', async () => {
    const { world, owner, zones } = await aWorldWithZones('a');
    for (const [readOnly, banToken] of [
      [true, maskedBanToken],
      [false, zones[0]!.banToken],
    ] as const) {
      const { items } = await list(world, programOf(world, owner.userId, { readOnly }));
      expect(items.map((zone) => zone.banToken)).to.deep.equal([banToken]);
    }
  });

  it('masks ban tokens by the role in the organization of each zone', async () => {
    const { world, owner, zones } = await aWorldWithZones('mine');
    const shared = anOrganization(world);
    await aZone(world, aMember(world, shared, 'owner'), { name: 'shared' });
    setRole(world, shared, owner.userId, 'viewer');
    const { items } = await list(world, callerOf(world, owner.userId));
    expect(items.map(({ banToken }) => banToken)).to.deep.equal([zones[0]!.banToken, maskedBanToken]);
  });
});
