import { ruleVersion } from '@zonewright/core';
import { expect } from 'chai';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, aWorldWithRule, configurationRulesOf, orderOf, someRules } from '../../../support/rules.ts';

describe('updateRule', () => {
  describe('moves the rule', () => {
    it('to a position, the last one at most, and reports what has been shifted', async () => {
      const { world, owner, zone, rule, patch } = await aWorldWithRule();
      const [b, c] = await someRules(world, owner, zone.id, ['b', 'c']);
      const outcome = await valueOf(patch({ order: 99 }));
      expect(outcome.rule.order).to.equal(3);
      expect(outcome.moved).to.deep.equal([b, c, rule].map((each, index) => ({ id: each!.id, order: index + 1 })));
      expect(await orderOf(world, zone.id)).to.deep.equal(['1 b', '2 c', '3 first']);
    });

    it('and keeps everything else about the shifted rules, but their version', async () => {
      const { world, owner, zone, rule, patch } = await aWorldWithRule();
      const second = await aRule(world, owner, zone.id, 'second');
      world.clock.advance(60);
      await valueOf(patch({ order: 2 }, rule.id));
      const shifted = await valueOf(readRule(world)(owner, configurationRulesOf(zone), second.id));
      expect(shifted).to.deep.equal({ ...second, order: 1 });
      expect(ruleVersion(shifted)).not.to.equal(ruleVersion(second));
    });

    it('only if the patch contains a position', async () => {
      const { world, owner, zone, patch } = await aWorldWithRule();
      const [b] = await someRules(world, owner, zone.id, ['b', 'c']);
      const { moved } = await valueOf(patch({ description: 'x' }, b?.id));
      expect(moved).to.deep.equal([]);
      expect(await orderOf(world, zone.id)).to.deep.equal(['1 first', '2 b', '3 c']);
    });
  });
});
