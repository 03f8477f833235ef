import { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { countedPayload, payloadBudget } from '../../src/limits/payload-budget.ts';

const [ada, bob, eve] = [1, 2, 3].map((last) => UserId.parse(`01900000-0000-7000-8000-00000000000${last}`)) as [
  UserId,
  UserId,
  UserId,
];
const unit = countedPayload;

describe('payloadBudget', () => {
  it("reserves up to a user's share, and releases a reservation only once", () => {
    const budget = payloadBudget({ total: 10 * unit, perUser: 3 * unit });
    const first = budget.reserve(ada, 2 * unit);
    expect(budget.hasRoomFor(ada)).to.equal(true);
    expect(budget.reserve(ada, 2 * unit)).to.equal(undefined);
    expect(budget.reserve(ada, unit)).to.not.equal(undefined);
    expect(budget.hasRoomFor(ada)).to.equal(false);
    first?.();
    first?.();
    expect(budget.reserve(ada, 2 * unit)).to.not.equal(undefined);
    expect(budget.reserve(ada, 1)).to.equal(undefined);
  });

  it('reserves up to the total of all users', () => {
    const budget = payloadBudget({ total: 5 * unit, perUser: 3 * unit });
    const release = budget.reserve(ada, 3 * unit);
    expect(budget.reserve(bob, 2 * unit)).to.not.equal(undefined);
    expect(budget.hasRoomFor(eve)).to.equal(true);
    expect(budget.reserve(eve, unit)).to.equal(undefined);
    release?.();
    expect(budget.reserve(eve, unit)).to.not.equal(undefined);
  });

  it('counts unavoidable memory, and allows nothing else until it is released', () => {
    const budget = payloadBudget({ total: 5 * unit, perUser: 3 * unit });
    budget.reserve(ada, 2 * unit);
    const release = budget.occupy(ada, 4 * unit);
    expect([budget.hasRoomFor(ada), budget.reserve(bob, unit)]).to.deep.equal([false, undefined]);
    release();
    expect(budget.hasRoomFor(ada)).to.equal(true);
  });

  it('allows one payload larger than a share if nothing else is reserved', () => {
    const budget = payloadBudget({ total: 5 * unit, perUser: 3 * unit });
    const release = budget.reserve(ada, 9 * unit);
    expect(release).to.not.equal(undefined);
    expect([budget.reserve(ada, unit), budget.reserve(bob, unit)]).to.deep.equal([undefined, undefined]);
    release?.();
    expect(budget.reserve(bob, unit)).to.not.equal(undefined);
  });
});
