import { StorageUnavailable } from '@zonewright/core';
import { startTemporaryPostgres } from '@zonewright/dev-postgres';
import {
  type LimitStanding,
  migrate,
  openDatabase,
  postgresRateLimiter,
  type RateLimiter,
  type RateLimitPolicy,
} from '@zonewright/postgres';
import { expect } from 'chai';
import { loadConfig, type RateLimit, type RateLimitName } from '../../src/config.ts';
import {
  type Limit,
  limitsOf,
  rateLimitHeaders,
  retryAfterSeconds,
  settleLimits,
  takeLimits,
  type WorkOutcome,
} from '../../src/http/rate-limits.ts';

const config = loadConfig({}).match(
  (usual) => usual,
  (mistakes) => {
    throw new Error(JSON.stringify(mistakes));
  },
);
const emailKey = 'ada@example.com';
const network = '203.0.113.7';

const budgets = (changed: Partial<Record<RateLimitName, RateLimit>>, rateLimitScale = 1) => ({
  rateLimits: { ...config.rateLimits, ...changed },
  rateLimitScale,
});

/** Budgets in a map; windows never end. `calls` tells what was asked, in order. */
function fakeLimiter() {
  const points = new Map<string, number>();
  const calls: string[] = [];
  const id = (name: string, parts: readonly string[]) => [name, ...parts].join(' ');
  const add = (key: string, change: number): number => {
    const sum = (points.get(key) ?? 0) + change;
    points.set(key, sum);
    return sum;
  };
  const limiter: RateLimiter = {
    take: async (policy, parts) => {
      calls.push(`take ${policy.name}`);
      return standing(policy, add(id(policy.name, parts), 1));
    },
    giveBack: async ({ name }, parts) => {
      calls.push(`give back ${name}`);
      add(id(name, parts), -1);
    },
    clear: async ({ name }, parts) => {
      calls.push(`clear ${name}`);
      points.delete(id(name, parts));
    },
    removeExpired: async () => undefined,
  };
  return { limiter, points, calls };
}

const standing = ({ name, points, seconds }: RateLimitPolicy, taken = 1): LimitStanding => ({
  name,
  limit: points,
  windowSeconds: seconds,
  remaining: Math.max(0, points - taken),
  resetSeconds: seconds,
  windowEndsAt: 0,
  isExceeded: taken > points,
});

describe('limitsOf', () => {
  const pair = { emailKey, network };
  const table: readonly (readonly [endpoint: string, asked: readonly Limit[], rows: readonly string[]])[] = [
    [
      'logIn',
      limitsOf.logIn(pair),
      [
        'login-net: 203.0.113.7: failures',
        'login-pair: ada@example.com, 203.0.113.7: failures',
        'login-account: ada@example.com: failures, then 1 per 30 s',
      ],
    ],
    ['register', limitsOf.register(pair), ['register: 203.0.113.7: all']],
    [
      'forgotPassword',
      limitsOf.forgotPassword(pair),
      ['forgot-net: 203.0.113.7: all', 'forgot-pair: ada@example.com, 203.0.113.7: all'],
    ],
    [
      'resendVerification',
      limitsOf.resendVerification(pair),
      ['resend-net: 203.0.113.7: all', 'resend-pair: ada@example.com, 203.0.113.7: all'],
    ],
    ['resetPassword', limitsOf.resetPassword(pair), ['reset: 203.0.113.7: failures']],
    ['verifyEmail', limitsOf.verifyEmail(pair), ['verify: 203.0.113.7: failures']],
    ['secondFactor', limitsOf.secondFactor({ userId: 'u1' }), ['mfa-user: u1: failures in a row']],
    ['currentPassword', limitsOf.currentPassword({ userId: 'u1' }), ['mfa-user: current-password, u1: failures']],
    ['refresh', limitsOf.refresh(pair), ['refresh: 203.0.113.7: all']],
    ['authenticated', limitsOf.authenticated({ credential: 's1' }), ['api: s1: all']],
  ];
  const row = ({ name, parts, counts, afterwards }: Limit): string => {
    const then = afterwards === undefined ? '' : `, then ${afterwards.points} per ${afterwards.seconds} s`;
    return `${name}: ${parts.join(', ')}: ${counts}${then}`;
  };

  for (const [endpoint, asked, rows] of table) {
    it(`${endpoint} comes under ${rows.join(' and ')}`, () => {
      expect(asked.map(row)).to.deep.equal(rows);
    });
  }

  it('uses every limiter that can be configured', () => {
    const used = new Set(table.flatMap(([, asked]) => asked.map(({ name }) => name)));
    expect([...used].sort()).to.deep.equal(Object.keys(config.rateLimits).sort());
  });
});

describe('takeLimits', () => {
  const logIn = limitsOf.logIn({ emailKey, network });

  it('takes one point from each limit and says how each stands', async () => {
    const { limiter } = fakeLimiter();
    const { standings, exceeded } = await takeLimits(limiter, config, logIn);
    expect(exceeded).to.equal(false);
    expect(standings.map(({ name, remaining, isExceeded }) => [name, remaining, isExceeded])).to.deep.equal([
      ['login-net', 59, false],
      ['login-pair', 4, false],
      ['login-account', 49, false],
    ]);
  });

  it('takes nothing without limits', async () => {
    expect(await takeLimits(fakeLimiter().limiter, config, [])).to.deep.equal({
      standings: [],
      exceeded: false,
      refundable: [],
    });
  });

  it('stops at the first spent limit and gives back the points of failures, the one beyond the budget included', async () => {
    const { limiter, points, calls } = fakeLimiter();
    const tight = budgets({ 'login-pair': { points: 1, seconds: 900 } });
    await takeLimits(limiter, tight, logIn);
    calls.length = 0;
    const { standings, exceeded, refundable } = await takeLimits(limiter, tight, logIn);
    expect([exceeded, refundable]).to.deep.equal([true, []]);
    expect(standings.map(({ name, isExceeded }) => [name, isExceeded])).to.deep.equal([
      ['login-net', false],
      ['login-pair', true],
    ]);
    expect(calls).to.deep.equal(['take login-net', 'take login-pair', 'give back login-net', 'give back login-pair']);
    expect([...points.values()]).to.deep.equal([1, 1, 1]);
  });

  it('keeps the points of limits that count everything, also for a refused request', async () => {
    const { limiter, points } = fakeLimiter();
    const tight = budgets({ 'forgot-pair': { points: 1, seconds: 900 } });
    const forgot = limitsOf.forgotPassword({ emailKey, network });
    for (let attempt = 1; attempt <= 3; attempt += 1) await takeLimits(limiter, tight, forgot);
    expect([...points.values()]).to.deep.equal([3, 3]);
  });

  it('passes to the slower budget when that of an account is spent, and refuses when the slower one is spent too', async () => {
    const { limiter, points } = fakeLimiter();
    const tight = budgets({ 'login-account': { points: 1, seconds: 86_400 } });
    await takeLimits(limiter, tight, logIn);
    const second = await takeLimits(limiter, tight, logIn);
    const third = await takeLimits(limiter, tight, logIn);
    expect([second, third].map(({ exceeded }) => exceeded)).to.deep.equal([false, true]);
    expect(second.standings.at(-1)).to.include({
      name: 'login-account-slow',
      limit: 1,
      windowSeconds: 30,
      remaining: 0,
    });
    expect(retryAfterSeconds(third.standings)).to.equal(30);
    expect(Object.fromEntries(points)).to.deep.equal({
      [`login-net ${network}`]: 2,
      [`login-pair ${emailKey} ${network}`]: 2,
      [`login-account ${emailKey}`]: 1,
      [`login-account-slow ${emailKey}`]: 1,
    });
  });

  it('scales the slower budget as the configuration scales all others', async () => {
    const { limiter } = fakeLimiter();
    const slow = async (scale: number) => {
      const tight = budgets({ 'login-account': { points: 0, seconds: 1 } }, scale);
      return (await takeLimits(limiter, tight, logIn)).standings.at(-1)?.limit;
    };
    expect([await slow(100), await slow(0.01)]).to.deep.equal([100, 1]);
  });

  it('lets a lost storage through as a failure, never as free passage', async () => {
    const lost: RateLimiter = {
      ...fakeLimiter().limiter,
      take: () => Promise.reject(new StorageUnavailable('away')),
    };
    const failure = await takeLimits(lost, config, logIn).catch((reason: unknown) => reason);
    expect(failure).to.be.instanceOf(StorageUnavailable);
  });
});

describe('settleLimits', () => {
  const verify = [...limitsOf.verifyEmail({ network }), ...limitsOf.register({ network })];

  it('gives back the points of failures after a success, and no other', async () => {
    const { limiter, points } = fakeLimiter();
    await settleLimits(limiter, await takeLimits(limiter, config, verify), 'success');
    expect(Object.fromEntries(points)).to.deep.equal({ [`verify ${network}`]: 0, [`register ${network}`]: 1 });
  });

  it('keeps every point after a failure', async () => {
    const { limiter, points } = fakeLimiter();
    await settleLimits(limiter, await takeLimits(limiter, config, verify), 'wrong guess');
    expect(Object.fromEntries(points)).to.deep.equal({ [`verify ${network}`]: 1, [`register ${network}`]: 1 });
  });

  it('gives back the point of the slower budget when that one was taken', async () => {
    const { limiter, points } = fakeLimiter();
    const tight = budgets({ 'login-account': { points: 1, seconds: 86_400 } });
    const logIn = limitsOf.logIn({ emailKey, network });
    await takeLimits(limiter, tight, logIn);
    await settleLimits(limiter, await takeLimits(limiter, tight, logIn), 'success');
    expect([...points.values()]).to.deep.equal([1, 1, 1, 0]);
  });

  it('gives nothing back for a refused request, whatever became of it', async () => {
    const { limiter, calls } = fakeLimiter();
    const tight = budgets({ verify: { points: 0, seconds: 900 } });
    const taken = await takeLimits(limiter, tight, verify);
    calls.length = 0;
    await settleLimits(limiter, taken, 'success');
    expect(calls).to.deep.equal([]);
  });

  const code = [...limitsOf.secondFactor({ userId: 'u1' }), ...limitsOf.currentPassword({ userId: 'u1' })];
  const key = { code: 'mfa-user u1', password: 'mfa-user current-password u1' };
  const afterTwoFailuresAnd = async (outcome: WorkOutcome) => {
    const { limiter, points } = fakeLimiter();
    for (let attempt = 0; attempt < 2; attempt += 1)
      await settleLimits(limiter, await takeLimits(limiter, config, code), 'wrong guess');
    await settleLimits(limiter, await takeLimits(limiter, config, code), outcome);
    return Object.fromEntries(points);
  };

  it('forgets failures in a row after a success, and only those', async () => {
    expect(await afterTwoFailuresAnd('success')).to.deep.equal({ [key.password]: 2 });
  });

  it('keeps failures in a row after a refusal that was no wrong guess, which costs nothing itself', async () => {
    expect(await afterTwoFailuresAnd('other refusal')).to.deep.equal({ [key.code]: 2, [key.password]: 2 });
  });

  it('counts on after one more failure in a row', async () => {
    expect(await afterTwoFailuresAnd('wrong guess')).to.deep.equal({ [key.code]: 3, [key.password]: 3 });
  });

  const unrefunding = (failure: Error): RateLimiter => ({
    ...fakeLimiter().limiter,
    giveBack: () => Promise.reject(failure),
    clear: () => Promise.reject(failure),
  });

  it('does not lose the answer to work that is done when the storage goes away meanwhile', async () => {
    const limiter = unrefunding(new StorageUnavailable('away'));
    for (const asked of [verify, code])
      await settleLimits(limiter, await takeLimits(limiter, config, asked), 'success');
  });

  it('does not hide a defect', async () => {
    const limiter = unrefunding(new TypeError('defect'));
    const taken = await takeLimits(limiter, config, verify);
    const failure = await settleLimits(limiter, taken, 'success').catch((reason: unknown) => reason);
    expect(failure).to.be.instanceOf(TypeError);
  });
});

describe('rateLimitHeaders', () => {
  it('writes one member a limit', () => {
    const standings = [
      standing({ name: 'login-net', points: 60, seconds: 900 }, 8),
      standing({ name: 'login-pair', points: 5, seconds: 900 }, 6),
    ];
    expect(rateLimitHeaders(standings)).to.deep.equal({
      'RateLimit-Policy': '"login-net";q=60;w=900, "login-pair";q=5;w=900',
      RateLimit: '"login-net";r=52;t=900, "login-pair";r=0;t=900',
    });
  });

  it('writes no fields without limits', () => {
    expect(rateLimitHeaders([])).to.deep.equal({});
  });
});

describe('retryAfterSeconds', () => {
  const seconds = (resetSeconds: number, isExceeded: boolean): LimitStanding => ({
    ...standing({ name: 'api', points: 1, seconds: 900 }),
    resetSeconds,
    isExceeded,
  });

  it('waits for the last of the spent limits, not for those with points left', () => {
    expect(retryAfterSeconds([seconds(900, false), seconds(20, true), seconds(40, true)])).to.equal(40);
  });

  it('is at least one second', () => {
    expect(retryAfterSeconds([seconds(0, true)])).to.equal(1);
    expect(retryAfterSeconds([])).to.equal(1);
  });
});

describe('takeLimits over PostgreSQL', function () {
  this.timeout(60_000);

  it('lets no more wrong passwords through than the budget has, whatever succeeds and is refused meanwhile', async () => {
    const server = await startTemporaryPostgres();
    await migrate(server.url);
    const databases = [openDatabase({ url: server.url }), openDatabase({ url: server.url })];
    const instances = databases.map((database) => postgresRateLimiter(database, { key: new Uint8Array(32) }));
    try {
      for (let round = 0; round < 20; round += 1) {
        const logIn = limitsOf.logIn({ emailKey: `${round}`, network: `${round}` });
        let failed = 0;
        const attempt = async (index: number): Promise<void> => {
          const limiter = instances[index % 2]!;
          const taken = await takeLimits(limiter, config, logIn);
          if (taken.exceeded) return;
          const isRight = index % 4 === 0;
          if (!isRight) failed += 1;
          await settleLimits(limiter, taken, isRight ? 'success' : 'wrong guess');
        };
        await Promise.all(Array.from({ length: 100 }, (_, index) => attempt(index)));
        expect(failed).to.be.at.most(5);
        // Only failures are still counted, so what is left of the budget can be used up, and no more.
        for (let wrong = 1; wrong < 20; wrong += 4) await attempt(wrong);
        expect(failed).to.equal(5);
        await attempt(1);
        expect(failed).to.equal(5);
      }
    } finally {
      await Promise.all(databases.map((database) => database.$pool.end()));
      await server.stop();
    }
  });
});
