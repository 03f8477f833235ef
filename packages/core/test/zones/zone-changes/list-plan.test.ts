import { expect } from 'chai';
import * as fc from 'fast-check';
import { RuleId, ZoneId } from '../../../src/kernel/shared/ids.ts';
import { storedDocument } from '../../../src/kernel/shared/json.ts';
import type { Rule, WrittenRule } from '../../../src/zones/rule-kinds/rule.ts';
import { orderOf } from '../../../src/zones/rule-kinds/rule-order.ts';
import { listAfter, listPlan, type RankedRules } from '../../../src/zones/zone-changes/zone-plan.ts';

const ids = Array.from({ length: 9 }, (_, index) => RuleId.parse(`01900000-0000-7000-8000-00000000000${index}`));
const zone = { id: ZoneId.parse('01900000-0000-7000-8000-000000000100'), revision: 7 };
const [written, now] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-02T00:00:00Z')];

const ruleAs = (ruleId: RuleId, text: string): WrittenRule<'rewriteRule'> => ({
  id: ruleId,
  content: storedDocument(JSON.stringify({ name: `${ruleId} ${text}` })),
});
const storedAs = ({ id, content }: WrittenRule, index: number): Rule => ({
  id,
  zoneId: zone.id,
  kind: 'rewriteRule',
  order: index + 1,
  content,
  createdAt: written,
  updatedAt: written,
  revision: 1,
});
const listOf = (rules: readonly WrittenRule[], ranks: readonly number[]): RankedRules => ({
  rules: rules.map(storedAs),
  ranks: ranks.slice(0, rules.length),
});

const anyRules = fc
  .shuffledSubarray(ids)
  .chain((some) => fc.tuple(...some.map((each) => fc.constantFrom('a', 'b').map((text) => ruleAs(each, text)))));
/** With and without room between two neighbours. */
const anyRanks = fc.constantFrom(1, Number.EPSILON).map((step) => ids.map((_, index) => 1 + index * step));
const textsOf = (rules: readonly WrittenRule[]): unknown => rules.map((rule) => [rule.id, rule.content.text]);

describe('the plan of a list', () => {
  it('turns any list into any other one', () => {
    fc.assert(
      fc.property(anyRules, anyRanks, anyRules, (before, ranks, wanted) => {
        const list = listOf(before, ranks);
        const plan = listPlan(list, wanted);
        const after = plan === undefined ? list : listAfter(zone, 'rewriteRule', list, plan, now);
        expect(textsOf(after.rules)).to.deep.equal(textsOf(wanted));
        expect(after.rules.map(({ order }) => order)).to.deep.equal(wanted.map((_, index) => index + 1));
        expect(after.ranks).to.have.lengthOf(wanted.length);
        expect(after.ranks.every((rank, index) => index === 0 || rank > after.ranks[index - 1]!)).to.equal(true);
      }),
    );
  });

  it('names what is removed, changed, added and moved, and nothing else', () => {
    const before = ids.slice(0, 5).map((each) => ruleAs(each, 'a'));
    const wanted = [
      ruleAs(ids[0]!, 'a'),
      ruleAs(ids[3]!, 'a'),
      ruleAs(ids[2]!, 'b'),
      ruleAs(ids[5]!, 'a'),
      ruleAs(ids[4]!, 'a'),
    ];
    const plan = listPlan(listOf(before, [1, 2, 3, 4, 5]), wanted);
    expect(plan?.removed).to.deep.equal([ids[1]]);
    expect(orderOf(plan?.changed ?? [])).to.deep.equal([ids[2]]);
    expect(orderOf(plan?.added ?? [])).to.deep.equal([ids[5]]);
    expect(plan?.placed).to.have.members([ids[5], plan?.placed.includes(ids[2]!) ? ids[2] : ids[3]]);
    expect([...(plan?.ranks.keys() ?? [])]).to.have.members(plan?.placed ?? []);
  });

  it('writes one rank each time that the same neighbours change places, however often', () => {
    const rules = ids.map((each) => ruleAs(each, 'a'));
    const swapped = [...rules.slice(0, 3), rules[4]!, rules[3]!, ...rules.slice(5)];
    fc.assert(
      fc.property(fc.array(fc.double({ min: -99, max: 99, noNaN: true }), { minLength: 9, maxLength: 9 }), (gaps) => {
        const ranks = gaps.map((_, index) => index * 100 + gaps[index]! / 3);
        let list = listOf(rules, ranks);
        for (let time = 0; time < 200; time += 1) {
          const plan = listPlan(list, time % 2 === 0 ? swapped : rules)!;
          expect(plan.ranks.size).to.equal(1);
          list = listAfter(zone, 'rewriteRule', list, plan, now);
        }
      }),
    );
  });

  it('is none for the same list', () => {
    const rules = ids.map((each) => ruleAs(each, 'a'));
    expect(
      listPlan(
        listOf(
          rules,
          ids.map((_, index) => index),
        ),
        rules,
      ),
    ).to.equal(undefined);
  });

  it('stamps only rules whose content is new', () => {
    const list = listOf([ruleAs(ids[0]!, 'a'), ruleAs(ids[1]!, 'a'), ruleAs(ids[2]!, 'a')], [1, 2, 3]);
    const wanted = [ruleAs(ids[3]!, 'a'), ruleAs(ids[2]!, 'a'), ruleAs(ids[1]!, 'b'), ruleAs(ids[0]!, 'a')];
    const plan = listPlan(list, wanted) ?? expect.fail('The lists differ.');
    const { rules } = listAfter(zone, 'rewriteRule', list, plan, now);
    expect(rules.map(({ createdAt, updatedAt, revision }) => ({ createdAt, updatedAt, revision }))).to.deep.equal([
      { createdAt: now, updatedAt: now, revision: zone.revision },
      { createdAt: written, updatedAt: written, revision: 1 },
      { createdAt: written, updatedAt: now, revision: 2 },
      { createdAt: written, updatedAt: written, revision: 1 },
    ]);
  });
});
