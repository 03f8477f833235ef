import { ruleVersion } from '@zonewright/core';
import { expect } from 'chai';
import { readRule } from '../../../../src/zones/rules/read-rules.ts';
import { updateRule } from '../../../../src/zones/rules/update-rule.ts';
import { valueOf } from '../../../support/outcomes.ts';
import { aRule, aWorldWithRule, configurationRulesOf, orderOf, someRules } from '../../../support/rules.ts';
import { aWorld } from '../../../support/world.ts';
import { anOrganizationWithZone } from '../../../support/zones.ts';

describe('updateRule', () => {
  describe('moves the rule', () => {
    const cases: readonly (readonly [from: number, to: number, after: string, moved: readonly number[]])[] = [
      [1, 3, 'bcade', [1, 2, 3]],
      [4, 2, 'adbce', [2, 3, 4]],
      [5, 1, 'eabcd', [1, 2, 3, 4, 5]],
      [1, 99, 'bcdea', [1, 2, 3, 4, 5]],
      [2, 0, 'bacde', [1, 2]],
      [2, -9, 'bacde', [1, 2]],
      [3, 3, 'abcde', []],
      [5, 6, 'abcde', []],
    ];
    for (const [from, to, after, positions] of cases) {
      it(`from ${from} to ${to} of 5 and reports the positions ${positions.join(', ') || 'of none'}`, async () => {
        const world = aWorld();
        const { owner, zone } = await anOrganizationWithZone(world);
        const rules = await someRules(world, owner, zone.id, ['a', 'b', 'c', 'd', 'e']);
        const outcome = await valueOf(
          updateRule(world)(owner, configurationRulesOf(zone), rules[from - 1]!.id, { order: to }, undefined),
        );
        expect(await orderOf(world, zone.id)).to.deep.equal(
          Array.from(after).map((name, place) => `${place + 1} ${name}`),
        );
        const idAt = (position: number) => rules.find(({ content }) => content.value.name === after[position - 1])?.id;
        expect(outcome.moved).to.deep.equal(positions.map((position) => ({ id: idAt(position), order: position })));
        expect(outcome.rule.order).to.equal(Math.min(Math.max(to, 1), 5));
      });
    }

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
