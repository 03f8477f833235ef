import { BasicAuthUserId, maskedBanToken, permissionDenied, ZoneId, zoneNotFound, zoneVersion } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readZone } from '../../../../src/zones/zones/read-zone.ts';
import { checkZoneAccess } from '../../../../src/zones/zones/zone-access.ts';
import { aMember, anOutsider, programOf } from '../../../support/organizations.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, positionAndName, someRules } from '../../../support/rules.ts';
import { aWorld } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone, setBasicAuthUsers } from '../../../support/zones.ts';

const missing = ZoneId.parse('00000000-0000-7000-8000-999999999999');

const aWorldWithZone = async () => {
  const world = aWorld();
  return { world, ...(await anOrganizationWithZone(world)), read: readZone(world) };
};

describe('readZone', () => {
  it('shows an empty zone with all usage counters', async () => {
    const { owner, zone, read } = await aWorldWithZone();
    expect(await read(owner, zone.id)).to.deep.equal(
      ok({
        zone,
        rules: { configurationRule: [], rewriteRule: [], accessRule: [], securityScenario: [] },
        usage: {
          rules: { used: 0, limit: 300 },
          waf: { used: 0, limit: 100 },
          scenarios: { used: 0, limit: 20 },
          configurationRules: { used: 0, limit: 100 },
          rewriteRules: { used: 0, limit: 200 },
          accessRules: { used: 0, limit: 100 },
          securityScenarios: { used: 0, limit: 20 },
          basicAuthUsers: { used: 0, limit: 50 },
        },
      }),
    );
  });

  it('shows and counts the contents of the zone, rules in evaluation order', async () => {
    const { world, owner, zone, read } = await aWorldWithZone();
    await someRules(world, owner, zone.id, ['b', 'c']);
    await aRule(world, owner, zone.id, 'a', { order: 1, enabled: false });
    setBasicAuthUsers(world, zone.id, [BasicAuthUserId.parse('00000000-0000-7000-8000-00000000000b')]);
    const { rules, usage } = await valueOf(read(owner, zone.id));
    expect(rules.configurationRule.map(positionAndName)).to.deep.equal(['1 a', '2 b', '3 c']);
    expect(usage.configurationRules).to.deep.equal({ used: 3, limit: 100 });
    expect(usage.rules).to.deep.equal({ used: 3, limit: 300 });
    expect(usage.basicAuthUsers).to.deep.equal({ used: 1, limit: 50 });
  });

  it('shows nothing of other zones', async () => {
    const { world, owner, zone, read } = await aWorldWithZone();
    const other = await aZone(world, owner, { name: 'Other' });
    await aRule(world, owner, other.id, 'a');
    expect((await valueOf(read(owner, zone.id))).rules.configurationRule).to.deep.equal([]);
  });

  it('changes its version with any change in the zone', async () => {
    const { world, owner, zone, read } = await aWorldWithZone();
    await aRule(world, owner, zone.id, 'a');
    const changed = (await valueOf(read(owner, zone.id))).zone;
    expect(zoneVersion(changed)).not.to.equal(zoneVersion(zone));
  });

  it('masks the ban token for viewers and read-only API tokens', async () => {
    const { world, owner, organization, zone, read } = await aWorldWithZone();
    const seenBy = async (role: 'owner' | 'admin' | 'editor' | 'viewer') =>
      (await valueOf(read(aMember(world, organization, role), zone.id))).zone.banToken;
    expect(await seenBy('editor')).to.equal(zone.banToken);
    expect(await seenBy('admin')).to.equal(zone.banToken);
    expect(await seenBy('viewer')).to.equal(maskedBanToken);
    const seenByProgram = async (readOnly: boolean) =>
      (await valueOf(read(programOf(world, owner.userId, { readOnly }), zone.id))).zone.banToken;
    expect(await seenByProgram(true)).to.equal(maskedBanToken);
    expect(await seenByProgram(false)).to.equal(zone.banToken);
  });
});

describe('checkZoneAccess', () => {
  it('distinguishes permission, missing permission and a missing zone', async () => {
    const { world, organization, zone } = await aWorldWithZone();
    const check = checkZoneAccess(world);
    const editor = aMember(world, organization, 'editor');
    expect(await check(editor, zone.id, 'rules.write')).to.deep.equal(ok());
    expect(await check(editor, zone.id, 'zones.delete')).to.deep.equal(err(permissionDenied('zones.delete')));
    expect(await check(anOutsider(world), zone.id, 'zones.read')).to.deep.equal(err(permissionDenied('zones.read')));
    expect(await check(editor, missing, 'zones.read')).to.deep.equal(err(zoneNotFound()));
  });
});
