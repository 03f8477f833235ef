import { zoneNotFound } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { deleteZone } from '../../../../src/zones/zone-changes/delete-zone.ts';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
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
});
