import { type LimitStatus, type RateLimiter, type RateLimitPolicy, StorageUnavailable } from '@zonewright/core';
import { expect } from 'chai';
import { type Database, openDatabase } from '../src/connection/database.ts';
import { postgresRateLimiter } from '../src/kernel/rate-limiter.ts';
import { migratedDatabase } from './support/database.ts';

const key = new Uint8Array(32).fill(7);
const policy: RateLimitPolicy = { name: 'login-pair', points: 5, seconds: 900 };
const parts = ['ada@example.com', '203.0.113.7'];

/** Operations on a single budget. */
function alone(limiter: RateLimiter) {
  return {
    take: async (policy: RateLimitPolicy, of: readonly string[]): Promise<LimitStatus> => {
      const [standing] = await limiter.take([{ ...policy, parts: of }]);
      if (standing === undefined) throw new Error('There is no standing.');
      return standing;
    },
    giveBack: (taken: LimitStatus) => limiter.giveBack([taken]),
    clear: (taken: Pick<LimitStatus, 'key'>) => limiter.clear(taken),
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
  let url: string;
  let database: Database;

  const limiterOn = (on: Database, withKey = key) => alone(postgresRateLimiter(on, { key: withKey }));
  const limiter = () => limiterOn(database);
  const rows = () => database.any<Row>('SELECT key, points, expire FROM rate_limits ORDER BY key');
  const shiftWindows = (milliseconds: number) =>
    database.none('UPDATE rate_limits SET expire = expire + $1, window_end = window_end + $1', [milliseconds]);

  before(async () => {
    url = await migratedDatabase();
    database = openDatabase({ url });
  });

  after(async () => {
    await database.$pool.end();
  });

  afterEach(() => database.none('TRUNCATE rate_limits'));

  const named = (name: string) => ({ ...policy, name, parts });

  describe('take', () => {
    it('stores neither names nor parts, only a keyed hash', async () => {
      await limiter().take(policy, parts);
      await limiterOn(database, new Uint8Array(32).fill(8)).take(policy, parts);
      const keys = (await rows()).map((row) => row.key);
      expect(new Set(keys).size).to.equal(2);
      for (const each of keys) expect(each).to.match(/^[0-9a-f]{64}$/);
    });

    it('writes nothing for a blocked caller, even to budgets with points left', async () => {
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

    it('takes from several budgets in one statement, and returns them in order', async () => {
      const statements: string[] = [];
      const watched = openDatabase({ url, onStatement: ({ text }) => statements.push(text) });
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

    it('never deadlocks with calls that take and refund the same budgets in another order', async () => {
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
          const ordered = [...names.slice(index % 4), ...names.slice(0, index % 4)];
          await limits.giveBack((await limits.take(ordered.map(large))).toReversed());
        }),
      );
      expect((await rows()).map(({ points }) => points)).to.deep.equal([0, 0, 0, 0]);
      expect(await deadlocks()).to.equal(before);
    });
  });

  describe('consecutive failures', () => {
    const consecutive: RateLimitPolicy = { name: 'mfa-user', points: 3, seconds: 900, consecutive: true };
    const take = async (count: number, budget = limiter()) => {
      const standings: LimitStatus[] = [];
      for (let attempt = 0; attempt < count; attempt += 1) standings.push(await budget.take(consecutive, parts));
      return standings.at(-1)!;
    };

    it('start the lock on the next attempt if a crash prevented it on the last point', async () => {
      await take(2);
      await database.none('UPDATE rate_limits SET points = 3');
      const found = await take(1);
      expect([found.isExceeded, found.beginsLock, found.resetSeconds]).to.deep.equal([true, true, 900]);
      await shiftWindows(-901_000);
      expect((await take(1)).isExceeded).to.equal(false);
    });
  });

  describe('when the database is unavailable', () => {
    const taken: LimitStatus = {
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
      const unreachable = openDatabase({ url: 'postgres://zonewright@127.0.0.1:1/postgres' });
      for (const failure of await failures(unreachable)) expect(failure).to.be.instanceOf(StorageUnavailable);
      await unreachable.$pool.end();
    });

    it('rejects with StorageUnavailable when the pool is closed or the table is missing', async () => {
      const closed = openDatabase({ url });
      await closed.$pool.end();
      const elsewhere = openDatabase({ url: `${url}?options=-csearch_path%3Dpg_catalog` });
      const all = [...(await failures(closed)), ...(await failures(elsewhere))];
      for (const failure of all) expect(failure).to.be.instanceOf(StorageUnavailable);
      await elsewhere.$pool.end();
    });

    it('keeps counting after its connections were cut', async () => {
      const cut = openDatabase({ url, connections: 2 });
      const budget = limiterOn(cut);
      await budget.take(policy, parts);
      await database.any(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`);
      await budget.take(policy, parts).catch(() => undefined);
      expect((await budget.take(policy, parts)).isExceeded).to.equal(false);
      await cut.$pool.end();
    });
  });
});
