import type { Budget, RateLimiter } from '@zonewright/core';
import { MemoryRateLimiter } from '@zonewright/memory';
import { expect } from 'chai';
import { Leases } from '../../src/admission/leases.ts';

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
    lease: (budgets, points, owed) => {
      clock.calls += 1;
      return limiter.lease(budgets, points, owed);
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

  describe('charge', () => {
    it('takes the points of the lease first, without a call to storage', async () => {
      const { clock, instances } = twoInstances();
      for (let request = 1; request <= 4; request += 1) await remaining(instances[0], budget(600));
      const before = clock.calls;
      await instances[0].charge([budget(600)], 3);
      expect(clock.calls).to.equal(before);
      expect(await remaining(instances[0], budget(600))).to.equal(600 - 4 - 3 - 1);
    });

    it('takes what exceeds the lease from storage at once, so that other instances know it', async () => {
      const { instances } = twoInstances();
      await remaining(instances[0], budget(600));
      await instances[0].charge([budget(600)], 500);
      expect(await remaining(instances[1], budget(600))).to.equal(600 - 1 - 500 - 1);
      await instances[1].charge([budget(600)], 98);
      expect(await remaining(instances[0], budget(600))).to.equal('exceeded');
    });

    it('exceeds a budget by no more than what was in progress', async () => {
      const { instances } = twoInstances();
      const admitted: unknown[] = [];
      for (let request = 1; request <= 100; request += 1) {
        const left = await remaining(instances[request % 2 === 0 ? 0 : 1], budget(600));
        if (left === 'exceeded') break;
        admitted.push(left);
        await instances[request % 2 === 0 ? 0 : 1].charge([budget(600)], 99);
      }
      expect(admitted).to.have.length(6);
    });

    it('stops other credentials of the user, whatever they have leased', async () => {
      const { instances } = twoInstances();
      const user: Budget = { name: 'api-user', points: 600, seconds: 60, parts: ['ada'] };
      const [session, token] = [
        [budget(600, ['session']), user],
        [budget(600, ['token']), user],
      ];
      for (let request = 1; request <= 4; request += 1) await instances[0].take(token);
      await instances[0].take(session);
      await instances[0].charge(session, 1000);
      expect((await instances[0].take(token)).map(({ isExceeded }) => isExceeded)).to.deep.equal([false, true]);
    });

    it('is made up for by the next request if storage cannot be reached', async () => {
      let fails = false;
      const limiter = new MemoryRateLimiter();
      const leases = new Leases({
        lease: (budgets, points, owed) =>
          fails ? Promise.reject(new Error('away')) : limiter.lease(budgets, points, owed),
      });
      await leases.take([budget(600)]);
      fails = true;
      const charged = await leases.charge([budget(600)], 50).then(
        () => 'charged',
        () => 'failed',
      );
      expect(charged).to.equal('failed');
      fails = false;
      expect(await remaining(leases, budget(600))).to.equal(600 - 1 - 50 - 1);
    });
  });

  it('remember a budget that is used up, without a call to storage, exactly until its window ends', async () => {
    const { clock, instances } = twoInstances();
    await remaining(instances[0], budget(1));
    expect(await remaining(instances[0], budget(1))).to.equal('exceeded');
    const before = clock.calls;
    clock.now = 59_999;
    const [status] = await instances[0].take([budget(1)]);
    expect(status).to.deep.include({ isExceeded: true, remaining: 0, resetSeconds: 1 });
    expect(instances[0].isUsedUp([budget(1)])).to.equal(true);
    expect(clock.calls).to.equal(before);
    clock.now = 60_000;
    expect(instances[0].isUsedUp([budget(1)])).to.equal(false);
    expect(await remaining(instances[0], budget(1))).to.equal(0);
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
