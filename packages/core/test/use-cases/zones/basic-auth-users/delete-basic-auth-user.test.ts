import { basicAuthUserInUse, type Caller, type ZoneId as ZoneIdType } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { deleteBasicAuthUser } from '../../../../src/zones/basic-auth-users/delete-basic-auth-user.ts';
import { updateZone } from '../../../../src/zones/zone-changes/update-zone.ts';
import { aBasicAuthUser } from '../../../support/basic-auth-users.ts';
import { refusalOf, valueOf } from '../../../support/outcomes.ts';
import { aRule } from '../../../support/rules.ts';
import { entriesDuring } from '../../../support/traces.ts';
import { aWorld, everythingIn, type World } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone, revisionOf } from '../../../support/zones.ts';

const aWorldWithUsers = async (...names: readonly string[]) => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const { owner, zone } = arranged;
  const ada = await aBasicAuthUser(world, owner, zone.id, 'ada');
  for (const name of names) await aBasicAuthUser(world, owner, zone.id, name);
  const remove = deleteBasicAuthUser(world);
  const removed = (caller = owner) => remove(caller, zone.id, ada.id, undefined);
  return { world, ...arranged, ada, remove, removed };
};

/** A rule with these basic-auth settings. */
const aRuleWith = (
  world: World,
  caller: Caller,
  zone: ZoneIdType,
  name: string,
  basicAuth: object,
  changes: object = {},
) => aRule(world, caller, zone, name, { settingsOverrides: { basicAuth }, ...changes });

describe('deleteBasicAuthUser', () => {
  it('removes only that user, as one change of the zone', async () => {
    const { world, zone, ada, removed } = await aWorldWithUsers('grace');
    const before = revisionOf(world, zone.id)!;
    const entries = await entriesDuring(world, async () => expect(await removed()).to.deep.equal(ok()));
    expect([...everythingIn(world).basicAuthUsers.values()].map(({ username }) => username)).to.deep.equal(['grace']);
    expect(entries.map(({ action, objects }) => ({ action, objects }))).to.deep.equal([
      { action: 'basicAuthUser.deleted', objects: { zone: zone.id, basicAuthUser: ada.id, name: 'ada' } },
    ]);
    expect(revisionOf(world, zone.id)).to.equal(before + 1);
  });

  it('frees the name', async () => {
    const { world, owner, zone, ada, removed } = await aWorldWithUsers();
    await valueOf(removed());
    expect((await aBasicAuthUser(world, owner, zone.id, 'ada')).id).to.not.equal(ada.id);
  });

  describe('refuses a user that', () => {
    it('rules refer to, enabled or not, and reports which', async () => {
      const { world, owner, zone, ada, removed } = await aWorldWithUsers('grace');
      const named = { enabled: true, allowedUserIds: [ada.id] };
      const first = await aRuleWith(world, owner, zone.id, 'first', named);
      await aRuleWith(world, owner, zone.id, 'other', { enabled: true });
      const second = await aRuleWith(world, owner, zone.id, 'second', { ...named, enabled: false }, { enabled: false });
      const before = everythingIn(world);
      const inUse = basicAuthUserInUse(zone.id, { settings: false, rules: [first.id, second.id] });
      expect(await removed()).to.deep.equal(err(inUse));
      expect(everythingIn(world)).to.deep.equal(before);
    });

    it('the zone refers to', async () => {
      const { world, owner, zone, ada, removed } = await aWorldWithUsers('grace');
      const basicAuth = { enabled: false, allowedUserIds: [ada.id] };
      await valueOf(updateZone(world)(owner, zone.id, { zone_settings: { basicAuth } }, undefined));
      expect(await removed()).to.deep.equal(err(basicAuthUserInUse(zone.id, { settings: true, rules: [] })));
      await valueOf(updateZone(world)(owner, zone.id, { zone_settings: { basicAuth: null } }, undefined));
      expect(await removed()).to.deep.equal(ok());
    });

    it('is the last one while the zone requires basic auth', async () => {
      const { world, owner, zone, removed } = await aWorldWithUsers();
      const basicAuth = { enabled: true };
      await valueOf(updateZone(world)(owner, zone.id, { zone_settings: { basicAuth } }, undefined));
      expect(await removed()).to.deep.equal(err(basicAuthUserInUse(zone.id, { settings: true, rules: [] })));
      await aBasicAuthUser(world, owner, zone.id, 'grace');
      expect(await removed()).to.deep.equal(ok());
    });

    it('is the last one while a rule requires basic auth', async () => {
      const { world, owner, zone, removed } = await aWorldWithUsers();
      const { id } = await aRuleWith(world, owner, zone.id, 'demanding', { enabled: true });
      await aRuleWith(world, owner, zone.id, 'sparing', { enabled: false });
      expect(await removed()).to.deep.equal(err(basicAuthUserInUse(zone.id, { settings: false, rules: [id] })));
      await aBasicAuthUser(world, owner, zone.id, 'grace');
      expect(await removed()).to.deep.equal(ok());
    });
  });

  it('removes the last user if nothing requires basic auth', async () => {
    const { world, owner, zone, removed } = await aWorldWithUsers();
    await aRuleWith(world, owner, zone.id, 'sparing', { enabled: false });
    expect(await removed()).to.deep.equal(ok());
  });

  it('ignores rules of other zones', async () => {
    const { world, owner, removed } = await aWorldWithUsers();
    const other = await aZone(world, owner, { name: 'Other' });
    await aBasicAuthUser(world, owner, other.id, 'ada');
    await aRuleWith(world, owner, other.id, 'demanding', { enabled: true });
    expect(await removed()).to.deep.equal(ok());
  });

  it('keeps one user when the last two are deleted concurrently', async () => {
    const { world, owner, zone, ada, remove } = await aWorldWithUsers();
    const grace = await aBasicAuthUser(world, owner, zone.id, 'grace');
    await aRuleWith(world, owner, zone.id, 'demanding', { enabled: true });
    const outcomes = [ada, grace].map(({ id }) => refusalOf(remove(owner, zone.id, id, undefined)));
    expect(await Promise.all(outcomes)).to.deep.equal([['accepted'], ['BasicAuthUserInUse']]);
  });
});
