import {
  permissionDenied,
  RuleId,
  ruleNotFound,
  ruleVersion,
  versionMismatch,
  ZoneId,
  zoneNotFound,
} from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { deleteRule } from '../../../../src/zones/rules/delete-rule.ts';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { anOutsider, setRole } from '../../../support/organizations.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf, orderOf, someRules } from '../../../support/rules.ts';
import { aWorld, everythingIn } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone, revisionOf } from '../../../support/zones.ts';

const missingId = '00000000-0000-7000-8000-999999999999';

const aWorldWithRules = async () => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  const [a, b, c] = await someRules(world, arranged.owner, arranged.zone.id, ['a', 'b', 'c']);
  return { world, ...arranged, a: a!, b: b!, c: c!, remove: deleteRule(world) };
};

describe('deleteRule', () => {
  it('deletes the rule, closes the gap and reports the positions that changed', async () => {
    const { world, owner, zone, a, b, c, remove } = await aWorldWithRules();
    expect(await remove(owner, configurationRulesOf(zone), a.id, undefined)).to.deep.equal(
      ok([
        { id: b.id, order: 1 },
        { id: c.id, order: 2 },
      ]),
    );
    expect(await orderOf(world, zone.id)).to.deep.equal(['1 b', '2 c']);
    expect(await readRule(world)(owner, configurationRulesOf(zone), a.id)).to.deep.equal(err(ruleNotFound()));
  });

  it('moves nothing if the rule was the last one', async () => {
    const { world, owner, zone, c, remove } = await aWorldWithRules();
    expect(await remove(owner, configurationRulesOf(zone), c.id, undefined)).to.deep.equal(ok([]));
    expect(await orderOf(world, zone.id)).to.deep.equal(['1 a', '2 b']);
  });

  it('keeps everything else about the shifted rules', async () => {
    const { world, owner, zone, a, b, remove } = await aWorldWithRules();
    world.clock.advance(60);
    await valueOf(remove(owner, configurationRulesOf(zone), a.id, undefined));
    expect(await readRule(world)(owner, configurationRulesOf(zone), b.id)).to.deep.equal(ok({ ...b, order: 1 }));
  });

  it('frees name and conditions', async () => {
    const { world, owner, zone, b, remove } = await aWorldWithRules();
    await valueOf(remove(owner, configurationRulesOf(zone), b.id, undefined));
    await aRule(world, owner, zone.id, 'b');
    expect(await orderOf(world, zone.id)).to.deep.equal(['1 a', '2 c', '3 b']);
  });

  it('changes the version of the zone, even if the rule was the last one', async () => {
    const { world, owner, zone, c, remove } = await aWorldWithRules();
    const before = revisionOf(world, zone.id);
    await valueOf(remove(owner, configurationRulesOf(zone), c.id, undefined));
    expect(revisionOf(world, zone.id)).to.equal(before! + 1);
  });

  describe('with expected versions', () => {
    it('deletes the rule if one of them is its version', async () => {
      const { owner, zone, b, remove } = await aWorldWithRules();
      expect((await remove(owner, configurationRulesOf(zone), b.id, ['x', ruleVersion(b)])).isOk()).to.equal(true);
    });

    it('fails if none is, reports the version, and deletes nothing', async () => {
      const { world, owner, zone, b, remove } = await aWorldWithRules();
      const before = everythingIn(world);
      expect(await remove(owner, configurationRulesOf(zone), b.id, ['x'])).to.deep.equal(
        err(versionMismatch(ruleVersion(b))),
      );
      expect(everythingIn(world)).to.deep.equal(before);
    });

    it('fails if the rule has been shifted since', async () => {
      const { owner, zone, a, b, remove } = await aWorldWithRules();
      await valueOf(remove(owner, configurationRulesOf(zone), a.id, undefined));
      expect(await remove(owner, configurationRulesOf(zone), b.id, [ruleVersion(b)])).to.deep.equal(
        err(versionMismatch(ruleVersion({ ...b, order: 1 }))),
      );
    });
  });

  it('is refused to outsiders, and to callers who lost the permission meanwhile', async () => {
    const { world, organization, owner, zone, b, remove } = await aWorldWithRules();
    const denied = err(permissionDenied('rules.write'));
    expect(await remove(anOutsider(world), configurationRulesOf(zone), b.id, undefined)).to.deep.equal(denied);
    setRole(world, organization, owner.userId, 'viewer');
    expect(await remove(owner, configurationRulesOf(zone), b.id, undefined)).to.deep.equal(denied);
    expect(everythingIn(world).rules.size).to.equal(3);
  });

  it('fails if the zone or the rule does not exist, and deletes nothing', async () => {
    const { world, owner, zone, b, remove } = await aWorldWithRules();
    const other = await aZone(world, owner, { name: 'Other' });
    const missingRule = RuleId.parse(missingId);
    expect(await remove(owner, configurationRulesOf({ id: ZoneId.parse(missingId) }), b.id, undefined)).to.deep.equal(
      err(zoneNotFound()),
    );
    expect(await remove(owner, configurationRulesOf(zone), missingRule, undefined)).to.deep.equal(err(ruleNotFound()));
    expect(await remove(owner, configurationRulesOf(other), b.id, undefined)).to.deep.equal(err(ruleNotFound()));
    expect(everythingIn(world).rules.size).to.equal(3);
  });
});
