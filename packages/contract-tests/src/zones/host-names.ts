import {
  DomainId,
  HostName,
  type ListZonesQuery,
  type OrganizationId,
  type ZoneId,
  ZoneRestoration,
} from '@zonewright/core';
import { expect } from 'chai';
import { errAsync, okAsync } from 'neverthrow';
import { type Owner, storedOwner } from '../arrangements/index.ts';
import { aChange, aZone, unique, uuid, wholeList } from '../builders/index.ts';
import { casesOn } from '../fakes.ts';
import { contract } from '../fresh-storage.ts';
import { hold } from '../gate.ts';
import { storedDomain } from '../organizations/domains.ts';
import { expectOneWinner } from '../races.ts';
import { concurrently, errorOf, okOf, raceSize, readView, rounds, runUnit, tally } from '../results.ts';
import type { Storage } from '../storage.ts';
import { created, patched, readZone, storedZoneId } from './host-name-arrangements.ts';
import { lostHostNames } from './lost-host-names.ts';

/** Host names of zones, which every storage must give to one zone of the installation. */
export const hostNamesContract = contract('Host names contract', (storage) => {
  describe('resolveReferences', () => facts(storage));
  describe('add', () => addition(storage));
  describe('of an existing zone', () => changes(storage));
  describe('of a deleted zone', () => deletion(storage));
  describe('as a filter', () => filter(storage));
  describe('of an organization that no longer proves them', () => lostHostNames(storage));
  describe('claimed concurrently', () => races(storage));
});

const hostName = (name: string): HostName => HostName.parse(name);
const unclaimed = (...names: string[]) => ({
  hostnames: names.map(hostName),
  claims: names.map((name) => ({ name: hostName(name), domain: undefined })),
});
const aName = (): string => `h${unique()}.example.com`;

/** An owner whose organization controls example.com. */
async function ownerOfDomain(storage: Storage): Promise<Owner> {
  const owner = await storedOwner(storage);
  await storedDomain(storage, owner.organizationId, { name: 'example.com' });
  return owner;
}

function facts(storage: () => Storage): void {
  it('finds the domains of the organization that may cover a name, and the other zones that have it', async () => {
    const [owner, other] = [await ownerOfDomain(storage()), await storedOwner(storage())];
    const { organizationId, userId: createdBy } = owner;
    const near = await storedDomain(storage(), organizationId, { name: 'shop.example.com', state: 'pending' });
    await storedDomain(storage(), organizationId, { name: 'www.shop.example.com', state: 'lapsed' });
    await storedDomain(storage(), other.organizationId, { name: 'example.com' });
    const [own, foreign] = [
      aZone({ organizationId, createdBy, ...unclaimed('a.shop.example.com') }),
      aZone({ organizationId: other.organizationId, createdBy, ...unclaimed('*.shop.example.com') }),
    ];
    await runUnit(storage(), ({ zones }) => zones.add(own).andThen(() => zones.add(foreign)));
    const hostNames = ['a.shop.example.com', '*.shop.example.com', 'b.shop.example.com'].map(hostName);
    const { domains, holders } = (
      await readView(storage(), ({ zoneChanges }) => zoneChanges.resolveReferences(own, { backends: [], hostNames }))
    ).hostNames;
    const found = domains.filter(({ name }) => name.endsWith('example.com') && name !== 'www.shop.example.com');
    expect(found.map(({ name, state }) => `${name} ${state}`).toSorted()).to.deep.equal([
      'example.com verified',
      'shop.example.com pending',
    ]);
    expect(found.map(({ id }) => id)).to.include(near.id);
    const { id: zone, organizationId: organization, name, tag } = foreign;
    expect([...holders]).to.deep.equal([
      [hostName('*.shop.example.com'), { zone, organizationId: organization, name, tag, proof: 'verified' }],
    ]);
  });
}

function addition(storage: () => Storage): void {
  it('stores the names in order', async () => {
    const owner = await ownerOfDomain(storage());
    const id = await storedZoneId(storage(), owner, 'www.example.com', '*.example.com', 'a.example.com');
    const names = ['www.example.com', '*.example.com', 'a.example.com'];
    expect((await readZone(storage(), id)).hostnames).to.deep.equal(names);
    const page = await okOf(casesOn(storage()).listZones(owner.caller, listing(owner.organizationId)));
    expect(page.items.map(({ hostnames }) => hostnames)).to.deep.equal([names]);
  });

  it('adds no zone if another one has a name, and says which names are taken', async () => {
    const [owner, other] = [await ownerOfDomain(storage()), await storedOwner(storage())];
    await storedZoneId(storage(), owner, 'www.example.com');
    const { organizationId, userId: createdBy } = other;
    const zone = aZone({ organizationId, createdBy, ...unclaimed('a.example.com', 'www.example.com') });
    const adding = storage().unitOfWork.run(({ zones }) => zones.add(zone));
    expect(await errorOf(adding)).to.deep.equal({ type: 'HostNamesTaken', names: ['www.example.com'] });
    await storedZoneId(storage(), owner, 'a.example.com');
  });
}

function changes(storage: () => Storage): void {
  it('replaces names, and frees those that are gone', async () => {
    const owner = await ownerOfDomain(storage());
    const id = await storedZoneId(storage(), owner, 'a.example.com', 'b.example.com');
    const changed = await okOf(patched(storage(), owner, id, ['c.example.com', 'b.example.com']));
    expect(changed.hostnames).to.deep.equal(['c.example.com', 'b.example.com']);
    expect(await readZone(storage(), id)).to.deep.equal(changed);
    await storedZoneId(storage(), owner, 'a.example.com');
    expect(tally([await created(storage(), owner, 'b.example.com')])).to.deep.equal({ 'hostname.taken': 1 });
  });

  it('is superseded if a name has been taken, or a domain is gone', async () => {
    const owner = await ownerOfDomain(storage());
    const [one, other] = [await storedZoneId(storage(), owner), await storedZoneId(storage(), owner, 'a.example.com')];
    expect(other).not.to.equal(one);
    const facts = await readView(storage(), ({ zoneChanges }) => zoneChanges.facts(one, owner.userId));
    for (const claim of [
      { name: hostName('a.example.com'), domain: undefined },
      { name: hostName('b.example.com'), domain: DomainId.parse(uuid()) },
    ]) {
      const plan = { hostnames: { names: [claim.name], claims: [claim] } };
      const applied = storage().unitOfWork.run(({ zoneChanges }) =>
        zoneChanges
          .apply(facts, [], aChange(plan))
          .andThen((after) => (after === 'superseded' ? superseded() : okAsync(after))),
      );
      expect(await errorOf(applied)).to.equal('superseded');
    }
    expect((await readZone(storage(), one)).hostnames).to.deep.equal([]);
  });
}

function deletion(storage: () => Storage): void {
  const deletedZone = async (owner: Owner, ...names: string[]) => {
    const id = await storedZoneId(storage(), owner, ...names);
    await okOf(casesOn(storage()).deleteZone(owner.caller, id, undefined));
    return id;
  };
  const restore = ({ caller, organizationId }: Owner, id: ZoneId, missing: string) =>
    casesOn(storage()).restoreDeletedZone(caller, organizationId, id, ZoneRestoration.parse({ missing }), undefined);

  it('are free, and its own again when it is restored', async () => {
    const owner = await ownerOfDomain(storage());
    const id = await deletedZone(owner, 'a.example.com', 'b.example.com');
    const taken = await storedZoneId(storage(), owner, 'a.example.com');
    await okOf(casesOn(storage()).deleteZone(owner.caller, taken, undefined));
    expect(await okOf(restore(owner, id, 'refuse'))).to.deep.equal([]);
    expect((await readZone(storage(), id)).hostnames).to.deep.equal(['a.example.com', 'b.example.com']);
    expect(tally([await created(storage(), owner, 'b.example.com')])).to.deep.equal({ 'hostname.taken': 1 });
  });

  it('are refused or left out on restoration if another zone has them', async () => {
    const owner = await ownerOfDomain(storage());
    const id = await deletedZone(owner, 'a.example.com', 'b.example.com');
    await storedZoneId(storage(), owner, 'b.example.com');
    expect(tally([await restore(owner, id, 'refuse')])).to.deep.equal({ 'hostname.taken': 1 });
    expect(await okOf(restore(owner, id, 'skip'))).to.deep.equal([
      { path: 'hostnames[1]', kind: 'hostname', name: 'b.example.com', effect: 'leftOut' },
    ]);
    expect((await readZone(storage(), id)).hostnames).to.deep.equal(['a.example.com']);
  });
}

const listing = (organization: OrganizationId | undefined, hostname?: string): ListZonesQuery => ({
  ...wholeList,
  organization,
  tags: [],
  search: undefined,
  sort: [],
  hostname: hostname === undefined ? undefined : hostName(hostname),
});

function filter(storage: () => Storage): void {
  it('finds the zone with exactly this name, if the caller may see it and the other criteria match', async () => {
    const [owner, other] = [await ownerOfDomain(storage()), await storedOwner(storage())];
    const id = await storedZoneId(storage(), owner, 'a.example.com', '*.example.com');
    await storedZoneId(storage(), owner, 'b.example.com');
    const found = async ({ caller }: Owner, query: Partial<ListZonesQuery>) => {
      const page = await okOf(casesOn(storage()).listZones(caller, { ...listing(undefined), ...query }));
      expect(page.items).to.have.lengthOf(page.totalItems);
      return page.items.map((zone) => zone.id);
    };
    const wanted = { hostname: hostName('*.example.com') };
    expect(await found(owner, wanted)).to.deep.equal([id]);
    expect(await found(owner, { ...wanted, tags: ['prod'], search: 'zone' })).to.deep.equal([id]);
    expect(await found(owner, { ...wanted, tags: ['dev'] })).to.deep.equal([]);
    expect(await found(owner, { ...wanted, search: 'none' })).to.deep.equal([]);
    expect(await found(owner, { hostname: hostName('c.example.com') })).to.deep.equal([]);
    expect(await found(other, wanted)).to.deep.equal([]);
  });
}

const superseded = () => errAsync<never, 'superseded'>('superseded');

function races(storage: () => Storage): void {
  it('go to exactly one of twenty zones that are created', async () => {
    for (const _ of rounds) {
      const owners = [await ownerOfDomain(storage()), await ownerOfDomain(storage())];
      const name = aName();
      await expectOneWinner('hostname.taken', (index) => created(storage(), owners[index % 2]!, name));
    }
  });

  it('go to exactly one of twenty zones that are changed', async () => {
    const owners = [await ownerOfDomain(storage()), await ownerOfDomain(storage())];
    const zones = await concurrently(raceSize, (index) => storedZoneId(storage(), owners[index % 2]!));
    for (const _ of rounds) {
      const names = [aName(), aName()];
      await expectOneWinner('hostname.taken', (index) =>
        patched(storage(), owners[index % 2]!, zones[index]!, index % 3 === 0 ? names.toReversed() : names),
      );
    }
  });

  it('wait for a unit that claimed them, and are free if that is rolled back', async () => {
    const owner = await ownerOfDomain(storage());
    const id = await storedZoneId(storage(), owner);
    const { organizationId, userId: createdBy } = await storedOwner(storage());
    const held = await hold(storage(), ({ zones }) =>
      zones.add(aZone({ organizationId, createdBy, ...unclaimed('a.example.com') })),
    );
    const changing = patched(storage(), owner, id, ['a.example.com']);
    await held.endBefore(changing, superseded);
    expect((await okOf(changing)).hostnames).to.deep.equal(['a.example.com']);
  });

  it('keep their domain, or wait for its removal and are then not covered', async () => {
    const owner = await storedOwner(storage());
    const { organizationId } = owner;
    const domain = await storedDomain(storage(), organizationId, { name: 'example.com' });
    const id = await storedZoneId(storage(), owner);
    const held = await hold(storage(), ({ domains }) => domains.remove(organizationId, domain.id));
    const changing = patched(storage(), owner, id, ['a.example.com']);
    await okOf(held.endBefore(changing));
    expect(tally([await changing])).to.deep.equal({ 'hostname.notCovered': 1 });
  });
}
