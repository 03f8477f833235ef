import {
  type Caller,
  HostName,
  type ListZonesQuery,
  maskedBanToken,
  OrganizationId,
  type Role,
  type Zone,
} from '@zonewright/core';
import { expect } from 'chai';
import { listZones } from '../../../../src/zones/zones/list-zones.ts';
import { aMember, anOrganization, anOutsider, callerOf, programOf, setRole } from '../../../support/organizations.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aWorld, type World } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone } from '../../../support/zones.ts';

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

/** A world whose only organization has zones with these names (`name`, or `name tag`), created a second apart. */
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
  it('lists only the zones of the caller’s organizations', async () => {
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

  it('returns an empty list for users without an organization', async () => {
    const { world, organization, owner } = await aWorldWithZones('a');
    setRole(world, organization, owner.userId, undefined);
    expect(await list(world, callerOf(world, owner.userId))).to.deep.equal({ items: [], totalItems: 0 });
  });

  describe('with a filter by organization', () => {
    it('lists only its zones', async () => {
      const { world, owner } = await aWorldWithZones('a');
      const other = anOrganization(world);
      setRole(world, other, owner.userId, 'owner');
      const caller = callerOf(world, owner.userId);
      await aZone(world, caller, { name: 'b', organization: other });
      expect(await listed(world, caller, { organization: other })).to.deep.equal(['b prod']);
    });

    it('returns an empty list for organizations of others, and for missing ones', async () => {
      const { world, organization, owner } = await aWorldWithZones('a');
      expect(await list(world, anOutsider(world), { organization })).to.deep.equal({ items: [], totalItems: 0 });
      const nobodys = OrganizationId.parse(4711);
      expect(await list(world, owner, { organization: nobodys })).to.deep.equal({ items: [], totalItems: 0 });
    });
  });

  it('passes filters, order and page to storage', async () => {
    const { world, owner } = await aWorldWithZones('shop/prod', 'shop 2/dev', 'shop 1/dev', 'blog/dev');
    const query = {
      search: 'SHOP',
      tags: ['dev'],
      sort: [{ key: 'name', direction: 'asc' }],
      itemsPerPage: 1,
    } as const;
    expect(await list(world, owner, { ...query, page: 2 })).to.have.property('totalItems', 2);
    expect(await listed(world, owner, query)).to.deep.equal(['shop 1 dev']);
    expect(await listed(world, owner, { ...query, page: 2 })).to.deep.equal(['shop 2 dev']);
  });

  it('lists only the zones of an API token that is limited to some', async () => {
    const { world, owner, zones } = await aWorldWithZones('a', 'b');
    const token = programOf(world, owner.userId, { zones: [zones[1]!.id] });
    expect(await listed(world, token)).to.deep.equal(['b prod']);
  });

  it('lists the zone with a host name', async () => {
    const world = aWorld({}, { own: undefined, verification: 'off' });
    const { owner } = await anOrganizationWithZone(world, { name: 'shop', hostnames: ['shop.example.com'] });
    await aZone(world, owner, { name: 'blog' });
    const hostname = HostName.parse('shop.example.com');
    expect(await listed(world, owner, { hostname })).to.deep.equal(['shop prod']);
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

  it('masks ban tokens for read-only API tokens, and shows them to others', async () => {
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
