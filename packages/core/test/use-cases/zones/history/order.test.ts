import { RuleMove } from '@zonewright/core';
import { expect } from 'chai';
import { moveRule } from '../../../../src/zones/rules/move-rule.ts';
import { aWorldWithHistory } from '../../../support/history.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { configurationRulesOf, someRules } from '../../../support/rules.ts';
import { everythingIn } from '../../../support/world.ts';

describe('history of the order of rules', () => {
  it('stores only what was moved: the position of a rule, however long the list', async () => {
    const { world, owner, zone } = await aWorldWithHistory();
    const names = Array.from({ length: 100 }, (_, index) => `rule ${index}`);
    const rules = await someRules(world, owner, zone.id, names);
    const move = RuleMove.parse({ position: 1 });
    await valueOf(moveRule(world)(owner, configurationRulesOf(zone), rules.at(-1)!.id, move, undefined));
    const { patch, snapshot } = everythingIn(world).revisions.get(zone.id)!.at(-1)!;
    expect(snapshot).to.equal(undefined);
    expect(patch!.text.length).to.be.below(100);
  });
});
