import { StorageUnavailable } from '@zonewright/core';
import { type EmbeddedPostgres, startTemporaryPostgres } from '@zonewright/dev-postgres';
import { expect } from 'chai';
import { type Database, openDatabase } from '../src/database.ts';
import { migrate } from '../src/migrate.ts';
import { type LimitStanding, postgresRateLimiter, type RateLimitPolicy } from '../src/rate-limiter.ts';

const key = new Uint8Array(32).fill(7);
const policy: RateLimitPolicy = { name: 'login-pair', points: 5, seconds: 900 };
const parts = ['ada@example.com', '203.0.113.7'];

interface Row {
  readonly key: string;
  readonly points: number;
  readonly expire: string;
}

describe('postgresRateLimiter', function () {
  this.timeout(60_000);
  let server: EmbeddedPostgres;
  let database: Database;

  const limiter = () => postgresRateLimiter(database, { key });
  const rows = () => database.any<Row>('SELECT key, points, expire FROM rate_limits ORDER BY key');
  const shiftWindows = (milliseconds: number) =>
    database.none('UPDATE rate_limits SET expire = expire + $1', [milliseconds]);

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
      const { windowEndsAt, ...standing } = await limiter().take(policy, parts);
      expect(standing).to.deep.equal({
        name: 'login-pair',
        limit: 5,
        windowSeconds: 900,
        remaining: 4,
        resetSeconds: 900,
        isExceeded: false,
      });
      expect(windowEndsAt).to.be.within(before + 900_000, Date.now() + 900_000);
    });

    it('admits exactly the budget of 100 simultaneous takes on two instances, round after round', async () => {
      const others = openDatabase({ url: server.url });
      const instances = [limiter(), postgresRateLimiter(others, { key })];
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
      await postgresRateLimiter(database, { key: new Uint8Array(32).fill(8) }).take(policy, parts);
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

    it('never speaks of more seconds than the window has, though an instance may have begun it by a clock ahead', async () => {
      const budget = limiter();
      await budget.take(policy, parts);
      await shiftWindows(3000);
      expect((await budget.take(policy, parts)).resetSeconds).to.equal(900);
    });
  });

  describe('giveBack', () => {
    it('undoes one take', async () => {
      const budget = limiter();
      const taken = await budget.take(policy, parts);
      await budget.take(policy, parts);
      await budget.giveBack(taken, parts);
      expect((await budget.take(policy, parts)).remaining).to.equal(3);
    });

    it('leaves the end of the window where it is', async () => {
      const budget = limiter();
      const taken = await budget.take(policy, parts);
      const [{ expire } = { expire: '' }] = await rows();
      await budget.giveBack(taken, parts);
      expect((await rows()).map(({ points, expire }) => [points, expire])).to.deep.equal([[0, expire]]);
    });

    it('never leaves a budget larger than it was', async () => {
      const budget = limiter();
      const taken = await budget.take(policy, parts);
      await Promise.all(Array.from({ length: 10 }, () => budget.giveBack(taken, parts)));
      expect((await rows()).map(({ points }) => points)).to.deep.equal([0]);
    });

    it('stores nothing for a budget that is not there any more', async () => {
      const budget = limiter();
      const taken = await budget.take(policy, parts);
      await database.none('TRUNCATE rate_limits');
      await budget.giveBack(taken, parts);
      expect(await rows()).to.deep.equal([]);
    });

    it('takes nothing off a window that began later', async () => {
      const budget = limiter();
      const taken = await budget.take({ ...policy, seconds: 1 }, parts);
      await shiftWindows(-1000);
      await budget.take({ ...policy, seconds: 1 }, parts);
      // What the first take knew of its own window, as if a second had gone by.
      await budget.giveBack({ ...taken, windowEndsAt: taken.windowEndsAt - 1000 }, parts);
      expect((await rows()).map(({ points }) => points)).to.deep.equal([1]);
    });

    it('leaves exactly the failures counted when half of 100 simultaneous attempts give back', async () => {
      const budget = limiter();
      const large = { ...policy, points: 1000 };
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const taken = await budget.take(large, parts);
          if (index % 2 === 0) await budget.giveBack(taken, parts);
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
      await take(3);
      await shiftWindows(85_000_000);
      expect((await take(1)).isExceeded).to.equal(true);
      await shiftWindows(-901_000);
      expect((await take(1)).isExceeded).to.equal(false);
    });

    it('can be given back one by one, the last one too', async () => {
      const last = await take(3);
      await limiter().giveBack(last, parts);
      expect((await take(1)).isExceeded).to.equal(false);
    });

    it('admit exactly the budget of 100 simultaneous takes on two instances, also once they were cleared', async () => {
      const others = openDatabase({ url: server.url });
      const instances = [limiter(), postgresRateLimiter(others, { key })];
      try {
        for (let round = 0; round < 20; round += 1) {
          const takes = Array.from({ length: 100 }, (_, index) => instances[index % 2]!.take(inARow, parts));
          const standings = await Promise.all(takes);
          expect(standings.filter(({ isExceeded }) => !isExceeded)).to.have.length(3);
          await instances[round % 2]!.clear(inARow, parts);
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
      await limiter().clear(policy, parts);
      expect((await budget.take(policy, parts)).remaining).to.equal(4);
      expect((await budget.take(policy, ['others'])).remaining).to.equal(3);
    });

    it('is harmless when there is nothing to give back', async () => {
      await limiter().clear(policy, parts);
      expect(await rows()).to.deep.equal([]);
    });
  });

  describe('removeExpired', () => {
    it('removes windows that are over for more than a minute, more than one batch of them, and no other', async () => {
      const budget = limiter();
      await Promise.all(Array.from({ length: 230 }, (_, index) => budget.take(policy, [`old ${index}`])));
      await shiftWindows(-900_000 - 61_000);
      await budget.take(policy, ['just over']);
      await shiftWindows(-900_000 - 30_000);
      await budget.take(policy, ['live']);
      await budget.removeExpired();
      expect(await rows()).to.have.length(2);
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
      windowEndsAt: 0,
      isExceeded: false,
    };

    const failures = async (unreachable: Database): Promise<unknown[]> => {
      const budget = postgresRateLimiter(unreachable, { key });
      const calls = [
        budget.take(policy, parts),
        budget.giveBack(taken, parts),
        budget.clear(taken, parts),
        budget.removeExpired(),
      ];
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
      const budget = postgresRateLimiter(cut, { key });
      await budget.take(policy, parts);
      await database.any(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`);
      await budget.take(policy, parts).catch(() => undefined);
      expect((await budget.take(policy, parts)).isExceeded).to.equal(false);
      await cut.$pool.end();
    });
  });
});
