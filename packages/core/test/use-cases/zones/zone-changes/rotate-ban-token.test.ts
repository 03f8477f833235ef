import { expect } from 'chai';
import { rotateBanToken } from '../../../../src/zones/zone-changes/rotate-ban-token.ts';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
import { revisionsOf } from '../../../support/history.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { auditEntries, entriesDuring } from '../../../support/traces.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone } from '../../../support/zones.ts';

const aWorldWithZone = async () => {
  const world = aWorld();
  return { world, ...(await anOrganizationWithZone(world)), rotate: rotateBanToken(world) };
};

describe('rotateBanToken', () => {
  it('replaces the token, and changes nothing else', async () => {
    const { world, owner, zone, rotate } = await aWorldWithZone();
    const other = await aZone(world, owner, { name: 'Other' });
    world.clock.advance(60);
    const rotated = await valueOf(rotate(owner, zone.id, undefined));
    expect(rotated.banToken).to.match(/^ban_[0-9A-Za-z]{36}$/);
    expect([zone.banToken, other.banToken]).to.not.include(rotated.banToken);
    const { banToken } = rotated;
    expect(rotated).to.deep.equal({ ...zone, banToken, updatedAt: world.clock.now(), revision: 2 });
    expect((await valueOf(readZone(world)(owner, zone.id))).zone).to.deep.equal(rotated);
    expect((await valueOf(readZone(world)(owner, other.id))).zone).to.deep.equal(other);
  });

  it('is recorded, without either token, in the audit log and in the history of the zone', async () => {
    const { world, owner, zone, rotate } = await aWorldWithZone();
    const entries = await entriesDuring(world, () => rotate(owner, zone.id, undefined));
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'zone.banTokenRotated', objects: { zone: zone.id } },
    ]);
    const { banToken } = (await valueOf(readZone(world)(owner, zone.id))).zone;
    const revisions = await revisionsOf(world, owner, zone.id);
    expect(revisions.map(({ number, action, patch }) => [number, action, patch.text])).to.deep.include([
      2,
      'zone.banTokenRotated',
      '{}',
    ]);
    const written = JSON.stringify([revisions, auditEntries(world), [...everythingIn(world).revisions.values()]]);
    for (const secret of [zone.banToken, banToken]) expect(written).to.not.include(secret);
  });
});
