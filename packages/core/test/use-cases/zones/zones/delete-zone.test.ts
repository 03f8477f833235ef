import { permissionDenied, versionMismatch, ZoneId, zoneNotFound, zoneVersion } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { deleteZone } from '../../../../src/zones/zone-changes/delete-zone.ts';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
import { aMember, anOutsider, setRole } from '../../../support/organizations.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, orderOf, someRules } from '../../../support/rules.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone } from '../../../support/zones.ts';

const aWorldWithZone = async () => {
  const world = aWorld();
  return { world, ...(await anOrganizationWithZone(world)), remove: deleteZone(world) };
};

describe('deleteZone', () => {
  it('deletes the zone, and nothing else', async () => {
    const { world, owner, zone, remove } = await aWorldWithZone();
    const other = await aZone(world, owner, { name: 'Other' });
    await someRules(world, owner, zone.id, ['a', 'b']);
    await aRule(world, owner, other.id, 'c');
    expect(await remove(owner, zone.id, undefined)).to.deep.equal(ok());
    expect(await readZone(world)(owner, zone.id)).to.deep.equal(err(zoneNotFound()));
    expect([...everythingIn(world).zones.keys()]).to.deep.equal([other.id]);
    expect(await orderOf(world, other.id)).to.deep.equal(['1 c']);
  });

  it('frees the name', async () => {
    const { world, owner, zone, remove } = await aWorldWithZone();
    await valueOf(remove(owner, zone.id, undefined));
    expect((await aZone(world, owner, { name: zone.name })).id).not.to.equal(zone.id);
  });

  it('is refused to outsiders', async () => {
    const { world, zone, remove } = await aWorldWithZone();
    expect(await remove(anOutsider(world), zone.id, undefined)).to.deep.equal(err(permissionDenied('zones.delete')));
  });

  it('uses the current role', async () => {
    const { world, organization, owner, zone, remove } = await aWorldWithZone();
    setRole(world, organization, owner.userId, 'editor');
    expect(await remove(owner, zone.id, undefined)).to.deep.equal(err(permissionDenied('zones.delete')));
  });

  it('fails if the zone does not exist, even the second time', async () => {
    const { owner, zone, remove } = await aWorldWithZone();
    const missing = ZoneId.parse('00000000-0000-7000-8000-999999999999');
    expect(await remove(owner, missing, undefined)).to.deep.equal(err(zoneNotFound()));
    await valueOf(remove(owner, zone.id, undefined));
    expect(await remove(owner, zone.id, undefined)).to.deep.equal(err(zoneNotFound()));
  });

  describe('with expected versions', () => {
    it('deletes the zone if one of them is its version', async () => {
      const { owner, zone, remove } = await aWorldWithZone();
      expect(await remove(owner, zone.id, ['x', zoneVersion(zone)])).to.deep.equal(ok());
    });

    it('fails if none is, reports the version, and deletes nothing', async () => {
      const { world, owner, zone, remove } = await aWorldWithZone();
      for (const expected of [['x'], []]) {
        expect(await remove(owner, zone.id, expected)).to.deep.equal(err(versionMismatch(zoneVersion(zone))));
      }
      expect(everythingIn(world).zones.has(zone.id)).to.equal(true);
    });

    it('fails if a rule in the zone has changed since', async () => {
      const { world, owner, zone, remove } = await aWorldWithZone();
      await aRule(world, owner, zone.id, 'a');
      const outcome = await remove(owner, zone.id, [zoneVersion(zone)]);
      expect(outcome).to.deep.equal(err(versionMismatch(zoneVersion({ revision: zone.revision + 1 }))));
    });

    it('reports no version to callers who may not delete', async () => {
      const { world, organization, zone, remove } = await aWorldWithZone();
      const outcome = await remove(aMember(world, organization, 'viewer'), zone.id, ['x']);
      expect(outcome).to.deep.equal(err(permissionDenied('zones.delete')));
    });
  });
});
