import { UserId } from '@zonewright/core';
import { expect } from 'chai';
import { countedPayload, payloadBudget, payloadLimitsAt } from '../../src/admission/payload-budget.ts';

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

  it('has an eighth for one user in a process of any size, and for one payload of any size', () => {
    for (const of of [1, 2, 4, 16]) {
      const limits = payloadLimitsAt({ index: 0, of });
      const budget = payloadBudget(limits);
      expect(limits.total).to.equal((128 * 2 ** 20) / Math.min(of, 4));
      const taken = Array.from({ length: 1000 }, () => budget.reserve(ada, unit)).filter((each) => each !== undefined);
      expect(taken.length * unit).to.equal(limits.total / 8);
      expect(budget.reserve(bob, limits.total / 8)).to.not.equal(undefined);
      expect(budget.reserve(eve, limits.total / 2)).to.not.equal(undefined);
    }
  });

  it('lets those wait for whom nothing fits, in order for each user', async () => {
    const budget = payloadBudget({ total: 5 * unit, perUser: 3 * unit }, 10_000);
    const admitted: string[] = [];
    const first = budget.reserve(ada, 3 * unit);
    const wait = (name: string, user: UserId, bytes: number) =>
      budget.whenFitting(user, bytes).then((release) => {
        admitted.push(name);
        return release;
      });
    const second = wait('second', ada, 3 * unit);
    const third = wait('third', ada, unit);
    const other = wait('other', bob, 2 * unit);
    (await other)?.();
    expect(admitted).to.deep.equal(['other']);
    first?.();
    (await second)?.();
    await third;
    expect(admitted).to.deep.equal(['other', 'second', 'third']);
  });

  it('gives a request that reserves in several steps more than a share, while it is the only one', async () => {
    const budget = payloadBudget({ total: 10 * unit, perUser: 3 * unit });
    const [first, second] = [{ held: 0 }, { held: 0 }];
    const release = await budget.whenFitting(ada, 2 * unit, first);
    const behind = budget.whenFitting(ada, 2 * unit, second);
    const more = await budget.whenFitting(ada, 5 * unit, first);
    expect(more).to.not.equal(undefined);
    expect(first).to.deep.equal({ held: 7 * unit });
    expect(budget.reserve(ada, unit)).to.equal(undefined);
    more?.();
    release?.();
    expect(await behind).to.not.equal(undefined);
    expect(second).to.deep.equal({ held: 2 * unit });
  });

  it('lets nobody wait for too long', async () => {
    const budget = payloadBudget({ total: 5 * unit, perUser: 3 * unit }, 10);
    const release = budget.reserve(ada, 3 * unit);
    expect(await budget.whenFitting(ada, unit)).to.equal(undefined);
    release?.();
    expect(await budget.whenFitting(ada, 3 * unit)).to.not.equal(undefined);
  });
});
