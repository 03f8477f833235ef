import { ruleNotFound } from '@zonewright/core';
import { expect } from 'chai';
import { err, ok } from 'neverthrow';
import { deleteRule } from '../../../../src/zones/rules/delete-rule.ts';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, configurationRulesOf, orderOf, someRules } from '../../../support/rules.ts';
import { aWorld } from '../../../support/world.ts';
import { anOrganizationWithZone } from '../../../support/zones.ts';

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

  it('frees name and conditions', async () => {
    const { world, owner, zone, b, remove } = await aWorldWithRules();
    await valueOf(remove(owner, configurationRulesOf(zone), b.id, undefined));
    await aRule(world, owner, zone.id, 'b');
    expect(await orderOf(world, zone.id)).to.deep.equal(['1 a', '2 c', '3 b']);
  });
});
