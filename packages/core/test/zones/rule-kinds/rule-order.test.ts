import { expect } from 'chai';
import * as fc from 'fast-check';
import { RuleId } from '../../../src/kernel/shared/ids.ts';
import { parse } from '../../../src/kernel/shared/parse.ts';
import {
  changedPositions,
  insertRule,
  type RuleOrder,
  RulePosition,
  removeRule,
  reposition,
} from '../../../src/zones/rule-kinds/rule-order.ts';

const rule = (number: number): RuleId => RuleId.parse(`00000000-0000-7000-8000-${String(number).padStart(12, '0')}`);
const [a, b, c, d, e] = [rule(1), rule(2), rule(3), rule(4), rule(5)] as const;
const at = (position: number): RulePosition => RulePosition.parse(position);

/** The position of every rule, as clients see it. */
const positionsIn = (order: RuleOrder): ReadonlyMap<RuleId, number> =>
  new Map(order.map((id, index) => [id, index + 1]));

const anOrder = (least = 0) =>
  fc.integer({ min: least, max: 12 }).map((length) => Array.from({ length }, (_, index) => rule(index + 1)));
/** A position that may be before the first or after the last one. */
const anyPosition = fc.integer({ min: -3, max: 16 });

describe('RulePosition', () => {
  const cases: readonly (readonly [input: unknown, outcome: number | string])[] = [
    [1, 1],
    [7, 7],
    [0, 1],
    [-5, 1],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [1.5, 'member.type'],
    ['1', 'member.type'],
    [null, 'member.type'],
    [Number.NaN, 'member.type'],
    [undefined, 'member.required'],
  ];
  for (const [input, outcome] of cases) {
    it(`reads ${JSON.stringify(input)} as ${outcome}`, () => {
      const read = parse(RulePosition, input).match<unknown>(
        (position) => position,
        ({ violations }) => violations[0]?.code,
      );
      expect(read).to.equal(outcome);
    });
  }
});

describe('insertRule', () => {
  it('inserts a rule at the requested position and shifts later ones', () => {
    expect(insertRule([a, b, c], d, at(1))).to.deep.equal([d, a, b, c]);
    expect(insertRule([a, b, c], d, at(2))).to.deep.equal([a, d, b, c]);
    expect(insertRule([a, b, c], d, at(3))).to.deep.equal([a, b, d, c]);
  });

  it('appends a rule without a position or with one past the end', () => {
    expect(insertRule([a, b], c)).to.deep.equal([a, b, c]);
    expect(insertRule([a, b], c, at(3))).to.deep.equal([a, b, c]);
    expect(insertRule([a, b], c, at(Number.MAX_SAFE_INTEGER))).to.deep.equal([a, b, c]);
    expect(insertRule([], c, at(5))).to.deep.equal([c]);
  });
});

describe('reposition', () => {
  const cases: readonly (readonly [id: RuleId, to: number, after: RuleOrder])[] = [
    [b, 4, [a, c, d, b, e]],
    [d, 2, [a, d, b, c, e]],
    [a, 1, [a, b, c, d, e]],
    [c, 3, [a, b, c, d, e]],
    [e, 1, [e, a, b, c, d]],
    [a, 5, [b, c, d, e, a]],
    [a, 99, [b, c, d, e, a]],
    [e, 0, [e, a, b, c, d]],
    [e, -7, [e, a, b, c, d]],
  ];
  for (const [id, to, after] of cases) {
    it(`moves rule ${[a, b, c, d, e].indexOf(id) + 1} of 5 to position ${to}`, () => {
      expect(reposition([a, b, c, d, e], id, at(to))).to.deep.equal(after);
    });
  }

  it('shifts exactly the rules between the old and the new position, by one, towards the old one', () => {
    fc.assert(
      fc.property(anOrder(1), fc.nat(), anyPosition, (order, pick, to) => {
        const from = (pick % order.length) + 1;
        const id = order[from - 1]!;
        const target = Math.min(Math.max(to, 1), order.length);
        const expected = new Map(
          order.map((other, index) => {
            const place = index + 1;
            if (other === id) return [other, target] as const;
            if (place > from && place <= target) return [other, place - 1] as const;
            if (place < from && place >= target) return [other, place + 1] as const;
            return [other, place] as const;
          }),
        );
        expect(positionsIn(reposition(order, id, at(to)))).to.deep.equal(expected);
      }),
    );
  });
});

describe('removeRule', () => {
  it('removes the rule and closes the gap', () => {
    expect(removeRule([a, b, c], b)).to.deep.equal([a, c]);
    expect(removeRule([a], a)).to.deep.equal([]);
  });

  it('leaves an order without the rule unchanged', () => {
    expect(removeRule([a, b], c)).to.deep.equal([a, b]);
  });
});

describe('any sequence of creating, moving and deleting rules', () => {
  const step = fc.record({
    kind: fc.constantFrom('create', 'create last', 'move', 'delete'),
    pick: fc.nat(),
    position: anyPosition,
  });

  it('leaves every rule exactly once, at positions 1 to n, and modifies no input', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let order: RuleOrder = [];
        const present = new Set<RuleId>();
        for (const [index, { kind, pick, position }] of steps.entries()) {
          const before = Object.freeze([...order]);
          const existing = before[pick % Math.max(before.length, 1)];
          if (kind === 'create' || kind === 'create last') {
            order = insertRule(before, rule(index), kind === 'create' ? at(position) : undefined);
            present.add(rule(index));
          } else if (existing !== undefined && kind === 'move') {
            order = reposition(before, existing, at(position));
          } else if (existing !== undefined) {
            order = removeRule(before, existing);
            present.delete(existing);
          }
          expect([...order].sort()).to.deep.equal([...present].sort());
          expect([...positionsIn(order).values()]).to.deep.equal(order.map((_, place) => place + 1));
        }
      }),
    );
  });
});

describe('changedPositions', () => {
  it('lists shifted rules in evaluation order', () => {
    expect(changedPositions([a, b, c, d], [a, d, b, c])).to.deep.equal([
      { id: d, order: 2 },
      { id: b, order: 3 },
      { id: c, order: 4 },
    ]);
  });

  it('lists new rules, but not removed ones', () => {
    expect(changedPositions([a, b], [a, b, c])).to.deep.equal([{ id: c, order: 3 }]);
    expect(changedPositions([a, b], [a])).to.deep.equal([]);
    expect(changedPositions([a, b], [b])).to.deep.equal([{ id: b, order: 1 }]);
  });

  it('is exactly what a reader of the old positions is missing', () => {
    const orders = fc.tuple(
      fc.shuffledSubarray([a, b, c, d, e, rule(6), rule(7)]),
      fc.shuffledSubarray([a, b, c, d, e, rule(6), rule(7)]),
    );
    fc.assert(
      fc.property(orders, ([before, after]) => {
        const known = positionsIn(before);
        const changes = changedPositions(before, after);
        const learned = new Map([...known, ...changes.map(({ id, order }) => [id, order] as const)]);
        expect(new Map(after.map((id) => [id, learned.get(id)]))).to.deep.equal(positionsIn(after));
        expect(changes.filter(({ id, order }) => known.get(id) === order)).to.deep.equal([]);
        expect(new Set(changes.map(({ id }) => id)).size).to.equal(changes.length);
      }),
    );
  });
});
