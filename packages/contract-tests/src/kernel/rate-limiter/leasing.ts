import type { Lease } from '@zonewright/core';
import { expect } from 'chai';
import { concurrently } from '../../results.ts';
import { limiterOf, type Place, policy } from './budgets.ts';

/** Several points at a time, for an instance that counts by itself. */
export function leasing(place: Place): void {
  const lease = (points: number, parts = ['a'], index = 0, { wanted = 8, owed = 0 } = {}): Promise<Lease> =>
    limiterOf(place, index).lease([{ ...policy, points, parts }], wanted, owed);
  const seen = ({ points, statuses }: Lease) => [points, statuses[0]?.remaining, statuses[0]?.isExceeded];

  it('grants the requested points, then one at a time, then none', async () => {
    for (const left of [32, 24]) expect(seen(await lease(40))).to.deep.equal([8, left, false]);
    for (let left = 23; left >= 0; left -= 1) expect(seen(await lease(40))).to.deep.equal([1, left, false]);
    expect(seen(await lease(40))).to.deep.equal([0, 0, true]);
  });

  it('grants what all of the budgets have, and reports how long it lasts', async () => {
    const budgets = [
      { ...policy, points: 100, parts: ['many'] },
      { ...policy, points: 31, parts: ['few'], seconds: 60 },
    ];
    const { points, milliseconds, statuses } = await place().instances[1].lease(budgets, 8);
    expect([points, ...statuses.map(({ remaining }) => remaining)]).to.deep.equal([1, 99, 30]);
    expect(milliseconds).to.be.within(59_000, 60_000);
  });

  it('takes points owed for earlier work besides, and grants only the others', async () => {
    expect(seen(await lease(100, ['owing'], 0, { owed: 50 }))).to.deep.equal([8, 42, false]);
    expect(seen(await lease(100, ['owing'], 1, { wanted: 0, owed: 20 }))).to.deep.equal([0, 22, false]);
    expect(seen(await lease(100, ['owing'], 0, { owed: 21 }))).to.deep.equal([1, 0, false]);
  });

  it('takes points owed even beyond the budget, which is exceeded then', async () => {
    expect(seen(await lease(100, ['indebted'], 0, { wanted: 0, owed: 99 }))).to.deep.equal([0, 1, false]);
    expect(seen(await lease(100, ['indebted'], 1, { wanted: 0, owed: 500 }))).to.deep.equal([0, 0, true]);
    expect(seen(await lease(100, ['indebted']))).to.deep.equal([0, 0, true]);
    await place().passTime(900);
    expect(seen(await lease(100, ['indebted']))).to.deep.equal([8, 92, false]);
  });

  it('grants exactly the budget to two concurrent instances', async () => {
    const leases = await concurrently(100, (index) => lease(100, ['raced'], index));
    expect(leases.reduce((sum, { points }) => sum + points, 0)).to.equal(100);
    expect((await lease(100, ['raced'])).points).to.equal(0);
  });
}
