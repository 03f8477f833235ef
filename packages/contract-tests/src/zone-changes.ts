import { jsonDocument, type Zone, type ZoneId, ZoneSettings, zoneVersion } from '@zonewright/core';
import { expect } from 'chai';
import { storedOwner, storedZone } from './arrangements.ts';
import { aRevision, aZoneId, aZoneName } from './builders.ts';
import { atOnce, done, errorOf, okOf, racers, seen, tally } from './results.ts';
import type { Storage } from './storage.ts';

/** What the contract of the zones promises of changes of one. */
export function zoneChangesContract(storage: () => Storage): void {
  describe('nameIsTaken', () => clashing(storage));
  describe('rename', () => renaming(storage));
  describe('saveSettings', () => settings(storage));
  describe('setBanToken', () => banToken(storage));
  describe('raiseVersion', () => versions(storage));
}

/** The zone as it is committed. */
const zoneOf = async (storage: Storage, id: ZoneId): Promise<Zone> =>
  (await seen(storage, ({ zones }) => zones.withContents(id))).zone;

/** Two zones of one organization, the first one called Shop, and one of another organization. */
async function threeZones(storage: Storage) {
  const [owner, stranger] = [await storedOwner(storage), await storedOwner(storage)];
  const { zone: shop } = await storedZone(storage, { owner, name: aZoneName('Shöp'), tag: 'stage' });
  const { zone: other } = await storedZone(storage, { owner, tag: 'stage' });
  const { zone: foreign } = await storedZone(storage, { owner: stranger, tag: 'stage' });
  return { shop, other, foreign };
}

function clashing(storage: () => Storage): void {
  const isTaken = (zone: Zone, given: Partial<Zone>) =>
    seen(storage(), ({ zones }) => zones.nameIsTaken({ ...zone, ...given }));

  it('finds the name of another zone in any letter case, under the same tag and organization only', async () => {
    const { other, foreign } = await threeZones(storage());
    const name = aZoneName('sHÖP');
    expect(await isTaken(other, { name })).to.equal(true);
    expect(await isTaken(other, { name, tag: 'prod' })).to.equal(false);
    expect(await isTaken(other, { name: aZoneName('Shöp 2') })).to.equal(false);
    expect(await isTaken(foreign, { name })).to.equal(false);
  });

  it('finds it for a zone that is not there yet', async () => {
    const { shop } = await threeZones(storage());
    expect(await isTaken(shop, { id: aZoneId() })).to.equal(true);
  });

  it('does not take a zone’s own name for another one’s', async () => {
    const { shop } = await threeZones(storage());
    expect(await isTaken(shop, { name: aZoneName('SHÖP') })).to.equal(false);
  });
}

function renaming(storage: () => Storage): void {
  const rename = ({ id }: Zone, names: Pick<Zone, 'name' | 'tag'>) =>
    storage().unitOfWork.run(({ zones }) => zones.lock(id).andThen(() => zones.rename(id, names)));

  it('changes name and tag, and the time of the last change, and nothing else', async () => {
    const { shop, other } = await threeZones(storage());
    await storage().passTime(10);
    const before = await zoneOf(storage(), shop.id);
    const names = { name: aZoneName('Straße 東京'), tag: 'dev' } as const;
    await okOf(rename(shop, names));
    const { updatedAt, ...after } = await zoneOf(storage(), shop.id);
    const { updatedAt: last, ...rest } = before;
    expect(after).to.deep.equal({ ...rest, ...names });
    expect(updatedAt.getTime()).to.be.greaterThan(last.getTime());
    expect((await zoneOf(storage(), other.id)).name).to.equal(other.name);
  });

  it('is found under the new name and tag', async () => {
    const { shop } = await threeZones(storage());
    const { organizationId } = shop;
    await okOf(rename(shop, { name: aZoneName('Bakery'), tag: 'dev' }));
    const found = async (search: string, tag: Zone['tag']) => {
      const filter = { organizations: [organizationId], tags: [tag], search };
      return (await seen(storage(), ({ zones }) => zones.list(filter, [], { page: 1, itemsPerPage: 10 }))).totalItems;
    };
    expect(await found('bake', 'dev')).to.equal(1);
    expect(await found('shöp', 'dev')).to.equal(0);
    expect(await found('bake', 'stage')).to.equal(0);
  });

  it('sets the old name free', async () => {
    const { shop, other } = await threeZones(storage());
    await okOf(rename(shop, { name: aZoneName('Bakery'), tag: 'stage' }));
    await okOf(rename(other, { name: shop.name, tag: shop.tag }));
  });

  it('refuses the name and tag of another zone of the organization, and changes nothing', async () => {
    const { shop, other } = await threeZones(storage());
    const refused = rename(other, { name: aZoneName('SHÖP'), tag: 'stage' });
    expect(await errorOf(refused)).to.deep.equal({ type: 'ZoneNameTaken' });
    expect((await zoneOf(storage(), other.id)).name).to.equal(other.name);
    expect((await zoneOf(storage(), shop.id)).name).to.equal(shop.name);
  });

  it('refuses a tag under which another zone has the name', async () => {
    const { shop, other } = await threeZones(storage());
    await okOf(rename(other, { name: shop.name, tag: 'dev' }));
    const refused = rename(other, { name: shop.name, tag: 'stage' });
    expect(await errorOf(refused)).to.deep.equal({ type: 'ZoneNameTaken' });
  });

  it('takes the zone’s own name in another letter case, and a name that a zone elsewhere has', async () => {
    const { shop, foreign } = await threeZones(storage());
    await okOf(rename(shop, { name: aZoneName('SHÖP'), tag: 'stage' }));
    await okOf(rename(foreign, { name: shop.name, tag: shop.tag }));
  });

  it('gives one of twenty zones the name they all change to, even when nobody locked the organization', async () => {
    const owner = await storedOwner(storage());
    const stored = await atOnce(racers, () => storedZone(storage(), { owner }));
    const results = await atOnce(racers, (index) =>
      rename(stored[index]!.zone, { name: aZoneName('wanted'), tag: 'prod' }),
    );
    expect(tally(results)).to.deep.equal({ Ok: 1, ZoneNameTaken: racers - 1 });
  });
}

function settings(storage: () => Storage): void {
  it('replaces the settings, text and all, and changes the time of the last change', async () => {
    const { shop, other } = await threeZones(storage());
    await storage().passTime(10);
    const before = await zoneOf(storage(), shop.id);
    const written = jsonDocument(ZoneSettings.parse({ processingSsi: true, customPagesErrorHtml: '<h1>Ünïcode</h1>' }));
    await done(storage(), ({ zones }) => zones.lock(shop.id).andThen(() => zones.saveSettings(shop.id, written)));
    const { updatedAt, settings: read, ...after } = await zoneOf(storage(), shop.id);
    const { updatedAt: last, settings: _, ...rest } = before;
    expect(read.text).to.equal(written.text);
    expect(read.value).to.deep.equal(written.value);
    expect(after).to.deep.equal(rest);
    expect(updatedAt.getTime()).to.be.greaterThan(last.getTime());
    expect((await zoneOf(storage(), other.id)).settings.text).to.equal(other.settings.text);
  });
}

function banToken(storage: () => Storage): void {
  it('replaces the ban token, and changes the time of the last change', async () => {
    const { shop, other } = await threeZones(storage());
    await storage().passTime(10);
    const before = await zoneOf(storage(), shop.id);
    const fresh = 'ban_A-token-that-no-other-zone-has';
    await done(storage(), ({ zones }) => zones.lock(shop.id).andThen(() => zones.setBanToken(shop.id, fresh)));
    const { updatedAt, ...after } = await zoneOf(storage(), shop.id);
    const { updatedAt: last, ...rest } = before;
    expect(after).to.deep.equal({ ...rest, banToken: fresh });
    expect(updatedAt.getTime()).to.be.greaterThan(last.getTime());
    expect((await zoneOf(storage(), other.id)).banToken).to.equal(other.banToken);
  });
}

function versions(storage: () => Storage): void {
  const raise = (id: ZoneId) =>
    storage().unitOfWork.run(({ zones }) => zones.lock(id).andThen(() => zones.raiseVersion(id)));

  it('resolves to the revision that is read back, one greater than before, and touches nothing else', async () => {
    const { shop, other } = await threeZones(storage());
    await storage().passTime(10);
    const before = await zoneOf(storage(), shop.id);
    expect(await okOf(raise(shop.id))).to.deep.equal({ revision: before.revision + 1, replayBytes: 0 });
    expect(await zoneOf(storage(), shop.id)).to.deep.equal({ ...before, revision: before.revision + 1 });
    expect((await zoneOf(storage(), other.id)).revision).to.equal(other.revision);
  });

  it('says how much there is to replay since the latest snapshot', async () => {
    const { shop } = await threeZones(storage());
    const changed = (bytes: number) =>
      done(storage(), ({ zones, history }) =>
        zones
          .lock(shop.id)
          .andThen(() =>
            zones
              .raiseVersion(shop.id)
              .andThen(({ revision: number, replayBytes }) =>
                history.add(aRevision({ zoneId: shop.id, number, replayBytes: bytes })).map(() => replayBytes),
              ),
          ),
      );
    expect([await changed(70), await changed(250), await changed(0), await changed(9)]).to.deep.equal([0, 70, 250, 0]);
  });

  it('gives the zone another version with every one of twenty changes', async () => {
    const { shop } = await threeZones(storage());
    const revisions = await atOnce(racers, () => okOf(raise(shop.id)));
    const found = revisions.map(zoneVersion);
    expect(new Set([zoneVersion(shop), ...found])).to.have.lengthOf(racers + 1);
    expect((await zoneOf(storage(), shop.id)).revision).to.equal(shop.revision + racers);
  });
}
