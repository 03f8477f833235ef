import type { Lease, LimitStatus, RateLimiter, RateLimitPolicy } from '@zonewright/core';
import { expect } from 'chai';
import { concurrently } from './results.ts';

/** Budgets of one adapter, with what the contract needs beyond the port. */
export interface LimiterStorage {
  /** Two instances that share their budgets; the same one twice if there is only one. */
  readonly instances: readonly [RateLimiter, RateLimiter];
  /** Ages all counters, as if so many seconds had passed. */
  passTime(seconds: number): Promise<void>;
  /** The number of stored budgets. */
  count(): Promise<number>;
  /** Called after the test. */
  close(): Promise<void>;
}

/** Opens budgets from which nothing has been taken. */
export type OpenLimiterStorage = () => Promise<LimiterStorage>;

const policy: RateLimitPolicy = { name: 'login-pair', points: 5, seconds: 900 };
const consecutive: RateLimitPolicy = { name: 'mfa-user', points: 3, seconds: 900, consecutive: true };
const ada = ['ada@example.com', '203.0.113.7'];
const day = 24 * 60 * 60;

/** Every adapter of `RateLimiter` must pass this unchanged. */
export function rateLimiterContract(adapter: string, open: OpenLimiterStorage): void {
  describe(`RateLimiter contract: ${adapter}`, () => {
    let current: LimiterStorage;
    beforeEach(async () => {
      current = await open();
    });
    afterEach(() => current.close());
    const place = () => current;

    describe('take', () => taking(place));
    describe('lease', () => leasing(place));
    describe('giveBack', () => givingBack(place));
    describe('consecutive points', () => pointsInARow(place));
    describe('clear', () => clearing(place));
    describe('removeExpired', () => removing(place));
  });
}

type Place = () => LimiterStorage;

/** One instance for even indexes, the other for odd ones. */
const limiterOf = (place: Place, index: number) => place().instances[index % 2 === 0 ? 0 : 1];

/** Takes a point from a budget. */
async function take(place: Place, asked = policy, parts: readonly string[] = ada, index = 0) {
  const [status] = await limiterOf(place, index).take([{ ...asked, parts }]);
  if (status === undefined) throw new Error('There is no result.');
  return status;
}

async function takeTimes(count: number, place: Place, asked = policy): Promise<LimitStatus> {
  for (let taken = 1; taken < count; taken += 1) await take(place, asked);
  return take(place, asked);
}

const giveBack = (place: Place, ...taken: readonly LimitStatus[]) => place().instances[1].giveBack(taken);
const admitted = (statuses: readonly LimitStatus[]) => statuses.filter(({ isExceeded }) => !isExceeded);

function taking(place: Place): void {
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

function leasing(place: Place): void {
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

function givingBack(place: Place): void {
  it('undoes one take, and keeps the end of the window', async () => {
    const taken = await take(place);
    await take(place);
    await giveBack(place, taken);
    const { remaining, windowEndsAt } = await take(place);
    expect([remaining, windowEndsAt]).to.deep.equal([3, taken.windowEndsAt]);
  });

  it('never makes a budget larger', async () => {
    const taken = await take(place);
    await concurrently(10, () => giveBack(place, taken));
    expect((await take(place)).remaining).to.equal(4);
  });

  it('stores nothing for a budget that no longer exists', async () => {
    const taken = await take(place);
    await place().instances[0].clear(taken);
    await giveBack(place, taken);
    expect(await place().count()).to.equal(0);
  });

  it('does not affect a window that started later', async () => {
    const short = { ...policy, seconds: 1 };
    const taken = await take(place, short);
    await place().passTime(1);
    await take(place, short);
    // The window as the first take saw it, as if every clock had advanced by a second.
    await giveBack(place, { ...taken, windowEndsAt: taken.windowEndsAt - 1000 });
    expect((await take(place, { ...short, points: 6 })).remaining).to.equal(4);
  });

  it('leaves exactly the failures counted when half of 100 concurrent attempts give back', async () => {
    const large = { ...policy, points: 1000 };
    await concurrently(100, async (index) => {
      const taken = await take(place, large);
      if (index % 2 === 0) await giveBack(place, taken);
    });
    expect((await take(place, large)).remaining).to.equal(949);
  });
}

function pointsInARow(place: Place): void {
  const takes = (count: number) => takeTimes(count, place, consecutive);

  it('count together even if taken hours apart', async () => {
    for (const hours of [7, 7, 0]) {
      expect((await takes(1)).isExceeded).to.equal(false);
      await place().passTime(hours * 3600);
    }
    expect((await takes(1)).isExceeded).to.equal(true);
  });

  it('expire a day after the first one', async () => {
    await takes(2);
    await place().passTime(day);
    expect((await takes(1)).remaining).to.equal(2);
  });

  it('start a lock of the full length with the last one, however long ago the first one was taken', async () => {
    await takes(2);
    await place().passTime(800);
    expect((await takes(1)).beginsLock).to.equal(true);
    const blocked = await takes(1);
    expect([blocked.isExceeded, blocked.resetSeconds]).to.deep.equal([true, 900]);
    await place().passTime(880);
    expect((await takes(1)).resetSeconds).to.be.within(10, 20);
    await place().passTime(20);
    expect((await takes(1)).remaining).to.equal(2);
  });

  it('do not extend the lock with further attempts', async () => {
    await takes(3);
    await place().passTime(600);
    for (const { resetSeconds } of await concurrently(20, () => takes(1))) expect(resetSeconds).to.be.within(250, 300);
  });

  it('can be given back one by one, including the last one with its lock', async () => {
    const before = await takes(2);
    const last = await takes(1);
    await giveBack(place, last);
    const again = await takes(1);
    expect([last, again].map(({ beginsLock, isExceeded }) => [beginsLock, isExceeded])).to.deep.equal([
      [true, false],
      [true, false],
    ]);
    expect([last.windowEndsAt, again.windowEndsAt]).to.deep.equal([before.windowEndsAt, before.windowEndsAt]);
    expect((await takes(1)).resetSeconds).to.be.within(899, 900);
  });

  it('start a lock twice as long as the previous one, up to a day', async () => {
    const seconds: number[] = [];
    for (let lock = 1; lock <= 9; lock += 1) {
      seconds.push((await takes(3)).resetSeconds);
      await place().passTime(day);
    }
    expect(seconds).to.deep.equal([900, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400]);
  });

  it('are reset with their locks by clear', async () => {
    for (let lock = 1; lock <= 3; lock += 1) {
      await takes(3);
      await place().passTime(day);
    }
    const right = await takes(1);
    expect(right.isExceeded).to.equal(false);
    await place().instances[1].clear(right);
    expect((await takes(3)).resetSeconds).to.equal(900);
  });

  it('remember locks across windows, and forget them 30 days after the last one', async () => {
    await takes(3);
    await place().passTime(2 * day);
    await takes(1);
    await place().passTime(2 * day);
    await place().instances[0].removeExpired();
    expect((await takes(3)).resetSeconds).to.equal(1800);
    await place().passTime(31 * day);
    await place().instances[0].removeExpired();
    expect((await takes(3)).resetSeconds).to.equal(900);
  });

  it('start a lock with exactly one of 100 concurrent takes, even after clear', async () => {
    for (let round = 0; round < 5; round += 1) {
      const statuses = await concurrently(100, (index) => take(place, consecutive, ada, index));
      expect(statuses.filter(({ beginsLock }) => beginsLock)).to.have.length(1);
      expect(admitted(statuses)).to.have.length(3);
      await place().instances[0].clear(statuses[0]!);
    }
  });
}

function clearing(place: Place): void {
  it('gives back every point of the budget, whoever took it, and no others', async () => {
    const taken = await takeTimes(6, place);
    await take(place, policy, ['others']);
    await place().instances[1].clear(taken);
    expect((await take(place)).remaining).to.equal(4);
    expect((await take(place, policy, ['others'])).remaining).to.equal(3);
  });

  it('does nothing if there is nothing to give back', async () => {
    await place().instances[0].clear({ key: 'nothing' });
    expect(await place().count()).to.equal(0);
  });
}

function removing(place: Place): void {
  it('removes exactly the expired windows', async () => {
    await concurrently(230, (index) => take(place, policy, [`old ${index}`]));
    await place().passTime(901);
    await take(place, policy, ['live']);
    await place().instances[0].removeExpired();
    expect(await place().count()).to.equal(1);
    expect((await take(place, policy, ['live'])).remaining).to.equal(3);
  });
}
