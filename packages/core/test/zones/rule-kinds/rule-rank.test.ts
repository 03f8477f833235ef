import { expect } from 'chai';
import * as fc from 'fast-check';
import { RuleId } from '../../../src/kernel/shared/ids.ts';
import {
  moveAll,
  movesBetween,
  type RuleOrder,
  type RuleRank,
  ranksFor,
} from '../../../src/zones/rule-kinds/rule-order.ts';

const rules: RuleOrder = Array.from({ length: 12 }, (_, index) =>
  RuleId.parse(`01900000-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`),
);
const [a, b, c, d] = [rules[0]!, rules[1]!, rules[2]!, rules[3]!];
const ranked = (...ranks: readonly number[]) => new Map(ranks.map((rank, index) => [rules[index]!, rank]));
const anyOrder = fc.shuffledSubarray([...rules]);

describe('ranksFor', () => {
  const cases: readonly {
    readonly title: string;
    readonly order: RuleOrder;
    readonly known: ReadonlyMap<RuleId, RuleRank>;
    readonly ranks: readonly number[];
  }[] = [
    { title: 'counts where no rule has a rank', order: [a, b, c], known: ranked(), ranks: [1, 2, 3] },
    { title: 'goes on at the end', order: [a, b, c], known: ranked(7.5), ranks: [8, 9] },
    { title: 'goes below the first', order: [b, c, a], known: ranked(1), ranks: [-1, 0] },
    { title: 'divides the room between two', order: [a, c, d, b], known: ranked(1, 4), ranks: [2, 3] },
    { title: 'gives no rank where all have one', order: [a, b], known: ranked(1, 2), ranks: [] },
  ];
  for (const { title, order, known, ranks } of cases) {
    it(title, () => expect([...(ranksFor(order, (id) => known.get(id)) ?? []).values()]).to.deep.equal(ranks));
  }

  it('stays within the bounds of a part', () => {
    const bounds = { lower: 1, upper: 4 };
    expect([...(ranksFor([a, b], () => undefined, bounds) ?? [])]).to.deep.equal([
      [a, 2],
      [b, 3],
    ]);
  });

  it('gives none where two neighbours have no number between them', () => {
    const known = ranked(1, 1 + Number.EPSILON);
    expect(ranksFor([a, c, b], (id) => known.get(id))).to.equal(undefined);
    expect(ranksFor([c], () => undefined, { lower: 1, upper: 1 + Number.EPSILON })).to.equal(undefined);
  });

  it('puts any list in any order, with one new rank per moved rule while there is room', () => {
    fc.assert(
      fc.property(anyOrder, anyOrder, (before, after) => {
        const all = new Map(before.map((id, index) => [id, index + 1]));
        const moving = movesBetween(before, after);
        const fresh = ranksFor(after, (id) => (moving.includes(id) ? undefined : all.get(id)));
        if (fresh === undefined) return expect.fail('There is room.');
        const rankOf = (id: RuleId) => fresh.get(id) ?? all.get(id) ?? Number.NaN;
        expect(after.toSorted((one, other) => rankOf(one) - rankOf(other))).to.deep.equal(after);
        expect([...fresh.keys()]).to.have.members(moving);
      }),
    );
  });
});

describe('movesBetween', () => {
  it('finds the one rule that moved, in either direction', () => {
    fc.assert(
      fc.property(fc.nat(11), fc.nat(11), (from, to) => {
        const order = rules.toSpliced(from, 1).toSpliced(to, 0, rules[from]!);
        expect(movesBetween(rules, order)).to.have.length(from === to ? 0 : 1);
      }),
    );
  });

  it('finds the moves that turn one order into another, and back', () => {
    fc.assert(
      fc.property(anyOrder, anyOrder, (before, after) => {
        const moving = movesBetween(before, after);
        const places = new Map(moving.map((id) => [id, after.indexOf(id) + 1]));
        const left = before.filter((id) => after.includes(id));
        expect(moveAll(left, places)).to.deep.equal(after);
      }),
    );
  });
});
