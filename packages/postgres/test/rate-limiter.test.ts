import { StorageUnavailable } from '@zonewright/core';
import { type EmbeddedPostgres, startTemporaryPostgres } from '@zonewright/dev-postgres';
import { expect } from 'chai';
import { type Database, openDatabase } from '../src/database.ts';
import { migrate } from '../src/migrate.ts';
import {
  type LimitStanding,
  postgresRateLimiter,
  type RateLimiter,
  type RateLimitPolicy,
} from '../src/rate-limiter.ts';

const key = new Uint8Array(32).fill(7);
const policy: RateLimitPolicy = { name: 'login-pair', points: 5, seconds: 900 };
const parts = ['ada@example.com', '203.0.113.7'];

/** One budget alone, as most tests need it. */
function alone(limiter: RateLimiter) {
  return {
    take: async (policy: RateLimitPolicy, of: readonly string[]): Promise<LimitStanding> => {
      const [standing] = await limiter.take([{ ...policy, parts: of }]);
      if (standing === undefined) throw new Error('There is no standing.');
      return standing;
    },
    giveBack: (taken: LimitStanding) => limiter.giveBack([taken]),
    clear: (taken: Pick<LimitStanding, 'key'>) => limiter.clear(taken),
    removeExpired: () => limiter.removeExpired(),
  };
}

interface Row {
  readonly key: string;
  readonly points: number;
  readonly expire: string;
}

describe('postgresRateLimiter', function () {
  this.timeout(60_000);
  let server: EmbeddedPostgres;
  let database: Database;

  const limiterOn = (on: Database, withKey = key) => alone(postgresRateLimiter(on, { key: withKey }));
  const limiter = () => limiterOn(database);
  const rows = () => database.any<Row>('SELECT key, points, expire FROM rate_limits ORDER BY key');
  const shiftWindows = (milliseconds: number) =>
    database.none('UPDATE rate_limits SET expire = expire + $1, window_end = window_end + $1', [milliseconds]);

  before(async () => {
    server = await startTemporaryPostgres();
    await migrate(server.url);
    database = openDatabase({ url: server.url });
  });

  after(async () => {
    await database.$pool.end();
    await server.stop();
  });

  afterEach(() => database.none('TRUNCATE rate_limits'));

  const named = (name: string) => ({ ...policy, name, parts });

  describe('take', () => {
    it('counts down to zero, then tells that the budget is exceeded', async () => {
      const budget = limiter();
      const small = { ...policy, points: 2 };
      const standings: LimitStanding[] = [];
      for (let attempt = 1; attempt <= 4; attempt += 1) standings.push(await budget.take(small, parts));
      expect(standings.map(({ remaining, isExceeded }) => [remaining, isExceeded])).to.deep.equal([
        [1, false],
        [0, false],
        [0, true],
        [0, true],
      ]);
    });

    it('says what the limit is and when its window ends', async () => {
      const before = Date.now();
      const { windowEndsAt, key: name, ...standing } = await limiter().take(policy, parts);
      expect((await rows()).map((row) => row.key)).to.deep.equal([name]);
      expect(standing).to.deep.equal({
        name: 'login-pair',
        limit: 5,
        windowSeconds: 900,
        remaining: 4,
        resetSeconds: 900,
        isExceeded: false,
        isTaken: true,
        beginsLock: false,
      });
      expect(windowEndsAt).to.be.within(before + 899_999, Date.now() + 900_001);
    });

    it('admits exactly the budget of 100 simultaneous takes on two instances, round after round', async () => {
      const others = openDatabase({ url: server.url });
      const instances = [limiter(), limiterOn(others)];
      try {
        for (let round = 0; round < 20; round += 1) {
          const takes = Array.from({ length: 100 }, (_, index) =>
            instances[index % 2]!.take({ ...policy, points: 13 }, [`round ${round}`]),
          );
          const admitted = (await Promise.all(takes)).filter(({ isExceeded }) => !isExceeded);
          expect(admitted.map(({ remaining }) => remaining).sort((a, b) => a - b)).to.deep.equal([...Array(13).keys()]);
        }
      } finally {
        await others.$pool.end();
      }
    });

    it('keeps apart limits of different names and parts, however the parts are cut', async () => {
      const budget = limiter();
      const lists = [['ab', 'c'], ['a', 'bc'], ['abc'], ['ab|c'], ['ab","c'], ['abc', ''], []];
      for (const each of lists) await budget.take(policy, each);
      await budget.take({ ...policy, name: 'login-net' }, ['abc']);
      expect((await rows()).map(({ points }) => points)).to.deep.equal(Array.from({ length: 8 }, () => 1));
    });

    it('stores neither names nor parts, only a hash that nobody can make without the key', async () => {
      await limiter().take(policy, parts);
      await limiterOn(database, new Uint8Array(32).fill(8)).take(policy, parts);
      const keys = (await rows()).map((row) => row.key);
      expect(new Set(keys).size).to.equal(2);
      for (const each of keys) expect(each).to.match(/^[0-9a-f]{64}$/);
    });

    it('accepts parts of any length and any characters', async () => {
      const standing = await limiter().take(policy, ['x'.repeat(100_000), '\0', '\ud800']);
      expect(standing.remaining).to.equal(4);
    });

    it('does not extend the window, however often a blocked caller tries', async () => {
      const budget = limiter();
      await budget.take(policy, parts);
      await shiftWindows(-600_000);
      const [{ expire } = { expire: '' }] = await rows();
      const later = await Promise.all(Array.from({ length: 20 }, () => budget.take(policy, parts)));
      expect((await rows()).map((row) => row.expire)).to.deep.equal([expire]);
      expect(later.filter(({ isExceeded }) => isExceeded)).to.have.length(16);
      for (const { resetSeconds } of later) expect(resetSeconds).to.be.within(250, 300);
    });

    it('begins a new window when the old one is over', async () => {
      const budget = limiter();
      for (let attempt = 1; attempt <= 6; attempt += 1) await budget.take(policy, parts);
      await shiftWindows(-900_000);
      const standing = await budget.take(policy, parts);
      expect([standing.remaining, standing.resetSeconds]).to.deep.equal([4, 900]);
    });

    it('admits exactly the budget when 100 takes meet a window that is over', async () => {
      const budget = limiter();
      for (let attempt = 1; attempt <= 6; attempt += 1) await budget.take(policy, parts);
      await shiftWindows(-900_000);
      const standings = await Promise.all(Array.from({ length: 100 }, () => budget.take(policy, parts)));
      expect(standings.filter(({ isExceeded }) => !isExceeded)).to.have.length(5);
    });

    it('writes nothing for a blocked caller, not even to budgets that have points left', async () => {
      const budgets = [
        { ...policy, parts: ['spent'], points: 1 },
        { ...policy, parts: ['rich'] },
      ];
      const limits = postgresRateLimiter(database, { key });
      await limits.take(budgets);
      const versions = () => database.any('SELECT key, points, xmin::text AS version FROM rate_limits ORDER BY key');
      const before = await versions();
      const standings = await limits.take(budgets);
      expect(standings.map(({ remaining, isExceeded, isTaken }) => [remaining, isExceeded, isTaken])).to.deep.equal([
        [0, true, false],
        [4, false, false],
      ]);
      expect(await versions()).to.deep.equal(before);
    });

    it('takes from several budgets in one statement, and says how each stands in the order asked', async () => {
      const statements: string[] = [];
      const watched = openDatabase({ url: server.url, onStatement: ({ text }) => statements.push(text) });
      try {
        const limits = postgresRateLimiter(watched, { key });
        const names = ['c', 'a', 'b'];
        for (const standings of [await limits.take(names.map(named)), await limits.take(names.map(named))]) {
          expect(standings.map(({ name }) => name)).to.deep.equal(names);
        }
        expect(statements).to.have.length(2);
      } finally {
        await watched.$pool.end();
      }
    });

    it('never deadlocks with calls that take and give back the same budgets in another order', async () => {
      const limits = postgresRateLimiter(database, { key });
      const names = ['a', 'b', 'c', 'd'];
      const large = (name: string) => ({ ...named(name), points: 100_000 });
      const deadlocks = async () =>
        (
          await database.one<{ deadlocks: number }>(
            'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
          )
        ).deadlocks;
      const before = await deadlocks();
      await Promise.all(
        Array.from({ length: 300 }, async (_, index) => {
          const asked = [...names.slice(index % 4), ...names.slice(0, index % 4)];
          await limits.giveBack((await limits.take(asked.map(large))).toReversed());
        }),
      );
      expect((await rows()).map(({ points }) => points)).to.deep.equal([0, 0, 0, 0]);
      expect(await deadlocks()).to.equal(before);
    });
  });

  describe('giveBack', () => {
    it('undoes one take', async () => {
      const budget = limiter();
      const taken = await budget.take(policy, parts);
      await budget.take(policy, parts);
      await budget.giveBack(taken);
      expect((await budget.take(policy, parts)).remaining).to.equal(3);
    });

    it('leaves the end of the window where it is', async () => {
      const budget = limiter();
      const taken = await budget.take(policy, parts);
      const [{ expire } = { expire: '' }] = await rows();
      await budget.giveBack(taken);
      expect((await rows()).map(({ points, expire }) => [points, expire])).to.deep.equal([[0, expire]]);
    });

    it('never leaves a budget larger than it was', async () => {
      const budget = limiter();
      const taken = await budget.take(policy, parts);
      await Promise.all(Array.from({ length: 10 }, () => budget.giveBack(taken)));
      expect((await rows()).map(({ points }) => points)).to.deep.equal([0]);
    });

    it('stores nothing for a budget that is not there any more', async () => {
      const budget = limiter();
      const taken = await budget.take(policy, parts);
      await database.none('TRUNCATE rate_limits');
      await budget.giveBack(taken);
      expect(await rows()).to.deep.equal([]);
    });

    it('takes nothing off a window that began later', async () => {
      const budget = limiter();
      const taken = await budget.take({ ...policy, seconds: 1 }, parts);
      await shiftWindows(-1000);
      await budget.take({ ...policy, seconds: 1 }, parts);
      // What the first take knew of its own window, as if a second had gone by.
      await budget.giveBack({ ...taken, windowEndsAt: taken.windowEndsAt - 1000 });
      expect((await rows()).map(({ points }) => points)).to.deep.equal([1]);
    });

    it('leaves exactly the failures counted when half of 100 simultaneous attempts give back', async () => {
      const budget = limiter();
      const large = { ...policy, points: 1000 };
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const taken = await budget.take(large, parts);
          if (index % 2 === 0) await budget.giveBack(taken);
        }),
      );
      expect((await rows()).map(({ points }) => points)).to.deep.equal([50]);
    });
  });

  describe('points in a row', () => {
    const inARow: RateLimitPolicy = { name: 'mfa-user', points: 3, seconds: 900, inARow: true };
    const take = async (count: number, budget = limiter()) => {
      const standings: LimitStanding[] = [];
      for (let attempt = 0; attempt < count; attempt += 1) standings.push(await budget.take(inARow, parts));
      return standings.at(-1)!;
    };

    it('count together although they are taken hours apart', async () => {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        expect((await take(1)).isExceeded).to.equal(false);
        await shiftWindows(attempt < 2 ? -7 * 3_600_000 : 0);
      }
      expect((await take(1)).isExceeded).to.equal(true);
    });

    it('are forgotten a day after the first one', async () => {
      await take(2);
      await shiftWindows(-86_400_000);
      expect((await take(1)).remaining).to.equal(2);
    });

    it('begin a block of the whole time with the last one, however long ago the first one was taken', async () => {
      await take(2);
      await shiftWindows(-800_000);
      await take(1);
      const blocked = await take(1);
      expect([blocked.isExceeded, blocked.resetSeconds]).to.deep.equal([true, 900]);
      await shiftWindows(-880_000);
      expect((await take(1)).resetSeconds).to.be.within(10, 20);
      await shiftWindows(-20_000);
      expect((await take(1)).remaining).to.equal(2);
    });

    it('make the block no longer when somebody tries while it lasts', async () => {
      await take(3);
      await shiftWindows(-600_000);
      const [{ expire } = { expire: '' }] = await rows();
      await Promise.all(Array.from({ length: 20 }, () => take(1)));
      expect((await rows()).map((row) => row.expire)).to.deep.equal([expire]);
    });

    it('begin the block with the next attempt when a crash kept the last point from beginning it', async () => {
      await take(2);
      await database.none('UPDATE rate_limits SET points = 3');
      const found = await take(1);
      expect([found.isExceeded, found.beginsLock, found.resetSeconds]).to.deep.equal([true, true, 900]);
      await shiftWindows(-901_000);
      expect((await take(1)).isExceeded).to.equal(false);
    });

    it('can be given back one by one, the last one too: then its lock never was', async () => {
      await take(2);
      const [{ expire: before } = { expire: '' }] = await rows();
      const last = await take(1);
      await limiter().giveBack(last);
      expect((await rows()).map(({ points, expire }) => [points, expire])).to.deep.equal([[2, before]]);
      expect([last, await take(1)].map(({ beginsLock, isExceeded }) => [beginsLock, isExceeded])).to.deep.equal([
        [true, false],
        [true, false],
      ]);
      expect((await take(1)).resetSeconds).to.be.within(899, 900);
    });

    it('begin a lock that is twice as long as the one before, up to a day', async () => {
      const seconds: number[] = [];
      for (let lock = 1; lock <= 9; lock += 1) {
        seconds.push((await take(3)).resetSeconds);
        await shiftWindows(-86_400_000);
      }
      expect(seconds).to.deep.equal([900, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400]);
    });

    it('let the right code in when the lock is over, after which the next lock is as short as the first', async () => {
      for (let lock = 1; lock <= 3; lock += 1) {
        await take(3);
        await shiftWindows(-86_400_000);
      }
      const right = await take(1);
      expect(right.isExceeded).to.equal(false);
      await limiter().clear(right);
      expect((await take(3)).resetSeconds).to.equal(900);
    });

    it('remember locks when a window goes by without another one, and forget them 30 days after the last', async () => {
      await take(3);
      await shiftWindows(-2 * 86_400_000);
      await take(1);
      await shiftWindows(-2 * 86_400_000);
      await limiter().removeExpired();
      expect((await take(3)).resetSeconds).to.equal(1800);
      await shiftWindows(-31 * 86_400_000);
      await limiter().removeExpired();
      expect((await take(3)).resetSeconds).to.equal(900);
    });

    it('tell exactly one of 100 simultaneous takes that a lock begins', async () => {
      for (let round = 0; round < 10; round += 1) {
        const standings = await Promise.all(Array.from({ length: 100 }, () => limiter().take(inARow, [`${round}`])));
        expect(standings.filter(({ beginsLock }) => beginsLock)).to.have.length(1);
      }
      expect(new Set((await rows()).map(({ points }) => points >= 3))).to.deep.equal(new Set([true]));
    });

    it('admit exactly the budget of 100 simultaneous takes on two instances, also once they were cleared', async () => {
      const others = openDatabase({ url: server.url });
      const instances = [limiter(), limiterOn(others)];
      try {
        for (let round = 0; round < 20; round += 1) {
          const takes = Array.from({ length: 100 }, (_, index) => instances[index % 2]!.take(inARow, parts));
          const standings = await Promise.all(takes);
          expect(standings.filter(({ isExceeded }) => !isExceeded)).to.have.length(3);
          await instances[round % 2]!.clear(standings[0]!);
        }
      } finally {
        await others.$pool.end();
      }
    });
  });

  describe('clear', () => {
    it('gives back every point, whoever took it, and no point of others', async () => {
      const budget = limiter();
      for (let attempt = 0; attempt < 6; attempt += 1) await budget.take(policy, parts);
      await budget.take(policy, ['others']);
      await limiter().clear(await budget.take(policy, parts));
      expect((await budget.take(policy, parts)).remaining).to.equal(4);
      expect((await budget.take(policy, ['others'])).remaining).to.equal(3);
    });

    it('is harmless when there is nothing to give back', async () => {
      await limiter().clear({ key: 'nothing' });
      expect(await rows()).to.deep.equal([]);
    });
  });

  describe('removeExpired', () => {
    it('removes windows that are over, more than one batch of them, and no other', async () => {
      const budget = limiter();
      await Promise.all(Array.from({ length: 230 }, (_, index) => budget.take(policy, [`old ${index}`])));
      await shiftWindows(-901_000);
      await budget.take(policy, ['live']);
      await budget.removeExpired();
      expect(await rows()).to.have.length(1);
      expect((await budget.take(policy, ['live'])).remaining).to.equal(3);
    });
  });

  describe('when the database is away', () => {
    const taken: LimitStanding = {
      name: policy.name,
      limit: 5,
      windowSeconds: 900,
      remaining: 4,
      resetSeconds: 900,
      key: 'a key',
      windowEndsAt: 0,
      isExceeded: false,
      isTaken: true,
      beginsLock: false,
    };

    const failures = async (unreachable: Database): Promise<unknown[]> => {
      const budget = limiterOn(unreachable);
      const calls = [budget.take(policy, parts), budget.giveBack(taken), budget.clear(taken), budget.removeExpired()];
      return (await Promise.allSettled(calls)).map((call) => (call.status === 'rejected' ? call.reason : call.value));
    };

    it('rejects with StorageUnavailable', async () => {
      const gone = await startTemporaryPostgres();
      await gone.stop();
      const unreachable = openDatabase({ url: gone.url });
      for (const failure of await failures(unreachable)) expect(failure).to.be.instanceOf(StorageUnavailable);
      await unreachable.$pool.end();
    });

    it('rejects with StorageUnavailable when the pool is closed or the table is missing', async () => {
      const closed = openDatabase({ url: server.url });
      await closed.$pool.end();
      const elsewhere = openDatabase({ url: `${server.url}?options=-csearch_path%3Dpg_catalog` });
      const all = [...(await failures(closed)), ...(await failures(elsewhere))];
      for (const failure of all) expect(failure).to.be.instanceOf(StorageUnavailable);
      await elsewhere.$pool.end();
    });

    it('counts on with the same limiter when the connections were cut', async () => {
      const cut = openDatabase({ url: server.url, connections: 2 });
      const budget = limiterOn(cut);
      await budget.take(policy, parts);
      await database.any(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`);
      await budget.take(policy, parts).catch(() => undefined);
      expect((await budget.take(policy, parts)).isExceeded).to.equal(false);
      await cut.$pool.end();
    });
  });
});
