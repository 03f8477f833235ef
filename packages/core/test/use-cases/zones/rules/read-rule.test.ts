import { permissionDenied, RuleId, ruleNotFound, ZoneId, zoneNotFound } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { aMember, anOutsider } from '../../../support/organizations.ts';
import { aRule, configurationRulesOf, someRules } from '../../../support/rules.ts';
import { aWorld } from '../../../support/world.ts';
import { anOrganizationWithZone, aZone } from '../../../support/zones.ts';

const missingId = '00000000-0000-7000-8000-999999999999';

const aWorldWithRule = async () => {
  const world = aWorld();
  const arranged = await anOrganizationWithZone(world);
  await someRules(world, arranged.owner, arranged.zone.id, ['before']);
  const rule = await aRule(world, arranged.owner, arranged.zone.id, 'a', { description: 'Two\nlines' });
  return { world, ...arranged, rule, read: readRule(world) };
};

describe('readRule', () => {
  it('shows the rule with its position', async () => {
    const { owner, zone, rule, read } = await aWorldWithRule();
    expect(rule.order).to.equal(2);
    expect(rule.content.value).to.include({ name: 'a', description: 'Two\nlines' });
    expect(await read(owner, configurationRulesOf(zone), rule.id)).to.deep.equal(ok(rule));
  });

  it('is allowed for viewers, and refused to outsiders', async () => {
    const { world, organization, zone, rule, read } = await aWorldWithRule();
    expect((await read(aMember(world, organization, 'viewer'), configurationRulesOf(zone), rule.id)).isOk()).to.equal(
      true,
    );
    expect(await read(anOutsider(world), configurationRulesOf(zone), rule.id)).to.deep.equal(
      err(permissionDenied('rules.read')),
    );
  });

  it('fails if the zone or the rule does not exist', async () => {
    const { world, owner, zone, rule, read } = await aWorldWithRule();
    const other = await aZone(world, owner, { name: 'Other' });
    expect(await read(owner, configurationRulesOf({ id: ZoneId.parse(missingId) }), rule.id)).to.deep.equal(
      err(zoneNotFound()),
    );
    expect(await read(owner, configurationRulesOf(zone), RuleId.parse(missingId))).to.deep.equal(err(ruleNotFound()));
    expect(await read(owner, configurationRulesOf(other), rule.id)).to.deep.equal(err(ruleNotFound()));
  });

  it('does not reveal to outsiders which rules exist', async () => {
    const { world, zone, read } = await aWorldWithRule();
    expect(await read(anOutsider(world), configurationRulesOf(zone), RuleId.parse(missingId))).to.deep.equal(
      err(permissionDenied('rules.read')),
    );
  });
});
