import type { Budget, RateLimiter } from '@zonewright/core';
import { MemoryRateLimiter } from '@zonewright/memory';
import { expect } from 'chai';
import { Leases } from '../../src/limits/leases.ts';

const budget = (points: number, parts: readonly string[] = ['ada']): Budget => ({
  name: 'api',
  points,
  seconds: 60,
  parts,
});

/** Two instances that share budgets, and a fake clock. `calls` counts calls to storage. */
function twoInstances() {
  const clock = { now: 0, calls: 0 };
  const limiter = new MemoryRateLimiter({ now: () => new Date(clock.now) });
  const counting: Pick<RateLimiter, 'lease'> = {
    lease: (budgets, points) => {
      clock.calls += 1;
      return limiter.lease(budgets, points);
    },
  };
  const instance = () => new Leases(counting, () => clock.now);
  return { clock, instances: [instance(), instance()] as const };
}

describe('Leases', () => {
  const remaining = async (leases: Leases, requested: Budget) => {
    const [status] = await leases.take([requested]);
    return status?.isExceeded === true ? 'exceeded' : status?.remaining;
  };

  it('count down by one per request, and call storage less and less often', async () => {
    const { clock, instances } = twoInstances();
    const callsAfter: number[] = [];
    for (let request = 1; request <= 24; request += 1) {
      expect(await remaining(instances[0], budget(600))).to.equal(600 - request);
      callsAfter.push(clock.calls);
    }
    expect(callsAfter).to.deep.equal([1, 2, 2, 3, 3, 3, 3, ...Array(8).fill(4), ...Array(8).fill(5), 6]);
  });

  for (const points of [1, 25, 33, 100, 600]) {
    it(`let two instances together spend at most ${points} points, however many requests are concurrent`, async () => {
      const { instances } = twoInstances();
      const answers = await Promise.all(
        Array.from({ length: points + 50 }, (_, index) =>
          remaining(instances[index % 2 === 0 ? 0 : 1], budget(points)),
        ),
      );
      const admitted = answers.filter((answer) => answer !== 'exceeded').length;
      expect(admitted).to.be.within(Math.max(1, points - 8), points);
    });
  }

  it('end with the window, and report its length', async () => {
    const { clock, instances } = twoInstances();
    const seconds = async () => (await instances[0].take([budget(600)]))[0]?.resetSeconds;
    expect(await seconds()).to.equal(60);
    clock.now = 20_000;
    expect([await seconds(), await seconds()]).to.deep.equal([40, 40]);
    clock.now = 30_500;
    expect(await seconds()).to.equal(30);
    clock.now = 60_000;
    expect(await remaining(instances[0], budget(600))).to.equal(599);
  });

  it('are shared only by simultaneous requests of one caller', async () => {
    const { clock, instances } = twoInstances();
    await Promise.all(
      ['ada', 'bob'].flatMap((who) => Array(7).fill(who)).map((who) => instances[0].take([budget(600, [who])])),
    );
    expect(clock.calls).to.equal(6);
  });

  it('pass storage failures on to all waiting requests, and retry', async () => {
    let fails = true;
    const limiter = new MemoryRateLimiter();
    const leases = new Leases({
      lease: (budgets, points) => (fails ? Promise.reject(new Error('away')) : limiter.lease(budgets, points)),
    });
    const failed = await Promise.allSettled([1, 2, 3].map(() => leases.take([budget(600)])));
    expect(failed.map(({ status }) => status)).to.deep.equal(Array(3).fill('rejected'));
    fails = false;
    expect(await remaining(leases, budget(600))).to.equal(599);
  });
});
