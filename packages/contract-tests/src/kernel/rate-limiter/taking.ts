import type { LimitStatus } from '@zonewright/core';
import { expect } from 'chai';
import { concurrently } from '../../results.ts';
import { admitted, type Place, policy, take, takeTimes } from './budgets.ts';

/** How a budget is used up, and how it becomes available again. */
export function taking(place: Place): void {
  it('counts down to zero, then reports the budget as exceeded', async () => {
    const statuses: LimitStatus[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) statuses.push(await take(place, { ...policy, points: 2 }));
    expect(statuses.map(({ remaining, isExceeded }) => [remaining, isExceeded])).to.deep.equal([
      [1, false],
      [0, false],
      [0, true],
      [0, true],
    ]);
  });

  it('reports what the limit is and when its window ends', async () => {
    const { key, windowEndsAt, ...status } = await take(place);
    expect(status).to.deep.equal({
      name: 'login-pair',
      limit: 5,
      windowSeconds: 900,
      remaining: 4,
      resetSeconds: 900,
      isExceeded: false,
      isTaken: true,
      beginsLock: false,
    });
    const again = await take(place);
    expect([again.key, again.windowEndsAt]).to.deep.equal([key, windowEndsAt]);
  });

  it('admits exactly the budget of 100 concurrent takes on two instances, round after round', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const small = { ...policy, points: 13 };
      const statuses = await concurrently(100, (index) => take(place, small, [`round ${round}`], index));
      const remaining = admitted(statuses).map((status) => status.remaining);
      expect(remaining.toSorted((a, b) => a - b)).to.deep.equal([...Array(13).keys()]);
    }
  });

  it('admits exactly the budget when 100 takes meet an expired window', async () => {
    await takeTimes(6, place);
    await place().passTime(900);
    expect(admitted(await concurrently(100, () => take(place)))).to.have.length(5);
  });

  it('separates limits by name and parts, however the parts are split', async () => {
    const lists = [['ab', 'c'], ['a', 'bc'], ['abc'], ['ab|c'], ['ab","c'], ['abc', ''], []];
    for (const each of lists) expect((await take(place, policy, each)).remaining).to.equal(4);
    expect((await take(place, { ...policy, name: 'login-net' }, ['abc'])).remaining).to.equal(4);
    expect(await place().count()).to.equal(8);
  });

  it('accepts parts of any length and any characters', async () => {
    expect((await take(place, policy, ['x'.repeat(100_000), '\0', '\ud800'])).remaining).to.equal(4);
  });

  it('does not extend the window, however often a blocked caller tries', async () => {
    await take(place);
    await place().passTime(600);
    const later = await concurrently(20, () => take(place));
    expect(admitted(later)).to.have.length(4);
    for (const { resetSeconds } of later) expect(resetSeconds).to.be.within(250, 300);
  });

  it('starts a new window when the old one has ended', async () => {
    await takeTimes(6, place);
    await place().passTime(900);
    const { remaining, resetSeconds } = await take(place);
    expect([remaining, resetSeconds]).to.deep.equal([4, 900]);
  });

  it('takes from several budgets in the given order, or from none if one of them is exhausted', async () => {
    const budgets = [
      { ...policy, parts: ['spent'], points: 1 },
      { ...policy, parts: ['rich'] },
    ];
    const [limiter] = place().instances;
    expect((await limiter.take(budgets)).map(({ remaining }) => remaining)).to.deep.equal([0, 4]);
    const statuses = await limiter.take(budgets);
    expect(statuses.map(({ remaining, isExceeded, isTaken }) => [remaining, isExceeded, isTaken])).to.deep.equal([
      [0, true, false],
      [4, false, false],
    ]);
    expect((await take(place, policy, ['rich'])).remaining).to.equal(3);
  });
}
