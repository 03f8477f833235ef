import { loadConfig, type RateLimit, type RateLimitName } from '@zonewright/configuration';
import {
  type Budget,
  EdgeId,
  type LimitStatus,
  type RateLimiter,
  type RateLimitPolicy,
  SessionId,
  StorageUnavailable,
  UserId,
} from '@zonewright/core';
import { openDatabase, postgresRateLimiter } from '@zonewright/postgres';
import { expect } from 'chai';
import { okAsync } from 'neverthrow';
import { rateLimitHeaders, refundPoints, takeLimits, type WorkOutcome } from '../../src/admission/rate-limits.ts';
import { type Limit, limitsOf } from '../../src/http/limits.ts';
import { freshDatabase } from '../support/database.ts';

const config = loadConfig({}).match(
  (usual) => usual,
  (mistakes) => {
    throw new Error(JSON.stringify(mistakes));
  },
);
const emailKey = 'ada@example.com';
const network = '203.0.113.7';
const userId = UserId.parse('01900000-0000-7000-8000-000000000001');
const sessionId = SessionId.parse('01900000-0000-7000-8000-000000000002');
const edgeId = EdgeId.parse('01900000-0000-7000-8000-000000000003');

const budgets = (changed: Partial<Record<RateLimitName, RateLimit>>, rateLimitScale = 1) => ({
  rateLimits: { ...config.rateLimits, ...changed },
  rateLimitScale,
});

/** In-memory budgets whose windows never end. `calls` records the operations in order. */
function fakeLimiter({ meets = false }: { readonly meets?: boolean } = {}) {
  const points = new Map<string, number>();
  const calls: string[] = [];
  const keyOf = ({ name, parts }: Pick<Budget, 'name' | 'parts'>) => [name, ...parts].join(' ');
  const add = (key: string, change: number): number => {
    const sum = (points.get(key) ?? 0) + change;
    points.set(key, sum);
    return sum;
  };
  const limiter: RateLimiter = {
    take: async (limits) => {
      calls.push(`take ${limits.map(({ name }) => name).join(', ')}`);
      // `meets`: simulates a concurrent request that takes the last point, so the limit is only noticed on consumption.
      const isTaken = meets || limits.every((budget) => (points.get(keyOf(budget)) ?? 0) < budget.points);
      return limits.map((budget) => {
        const key = keyOf(budget);
        return { ...statusOf(budget, isTaken ? add(key, 1) : (points.get(key) ?? 0), isTaken), key };
      });
    },
    lease: () => Promise.reject(new Error('No limit of these is leased.')),
    giveBack: async (taken) => {
      if (taken.length > 0) calls.push(`give back ${taken.map(({ name }) => name).join(', ')}`);
      for (const { key } of taken) add(key, -1);
    },
    clear: async ({ key }) => {
      calls.push(`clear ${key}`);
      points.delete(key);
    },
    removeExpired: async () => undefined,
  };
  return { limiter, points, calls };
}

const statusOf = ({ name, points, seconds, consecutive }: RateLimitPolicy, taken = 1, isTaken = true): LimitStatus => ({
  name,
  key: name,
  limit: points,
  windowSeconds: seconds,
  remaining: Math.max(0, points - taken),
  resetSeconds: seconds - 1,
  windowEndsAt: 0,
  isExceeded: isTaken ? taken > points : taken >= points,
  isTaken,
  beginsLock: consecutive === true && isTaken && taken === points,
});

describe('limitsOf', () => {
  const pair = { emailKey, network };
  const table: readonly (readonly [endpoint: string, limits: readonly Limit[], rows: readonly string[]])[] = [
    [
      'logIn',
      limitsOf.logIn(pair),
      [
        'login-net: 203.0.113.7: failures',
        'login-pair: ada@example.com, 203.0.113.7: failures',
        'login-account: ada@example.com: failures, then 1 per 30 s, hidden',
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
    ['secondFactor', limitsOf.secondFactor({ userId: 'u1' }, () => okAsync()), ['mfa-user: u1: consecutive failures']],
    [
      'invite',
      limitsOf.invite({ userId: 'u1', emailKey }),
      ['invite-user: u1: successes', 'invite-address: ada@example.com: successes, hidden'],
    ],
    ['currentPassword', limitsOf.currentPassword({ userId: 'u1' }), ['mfa-user: current-password, u1: failures']],
    ['refresh', limitsOf.refresh(pair), ['refresh: 203.0.113.7: all, leased']],
    [
      'authenticated',
      limitsOf.authenticated({
        userId,
        credential: {
          kind: 'session',
          id: sessionId,
          provider: undefined,
          confirmed: true,
          confirmableBy: ['password'],
        },
      }),
      [`api: ${sessionId}: all, leased`, `api-user: ${userId}: all, leased`],
    ],
    ['verifyDomain', limitsOf.verifyDomain({ domain: sessionId }), [`verify-domain: ${sessionId}: all`]],
    ['passkey', limitsOf.passkey({ network }), ['passkey: 203.0.113.7: all, leased']],
    ['evaluate', limitsOf.evaluate({ userId }), [`evaluate: ${userId}: all`]],
    ['analyze', limitsOf.analyze({ userId }), [`analysis: ${userId}: all`]],
    ['edge', limitsOf.edge({ id: edgeId }), [`edge: ${edgeId}: all, leased`]],
    ['edgeDocuments', limitsOf.edgeDocuments({ id: edgeId }), [`edge-documents: ${edgeId}: all, leased`]],
    ['failedCredential', limitsOf.failedCredential({ source: [network] }), ['credentials: 203.0.113.7: all']],
  ];
  const row = ({ name, parts, counts, afterwards, isHidden, isLeased }: Limit): string => {
    const then = afterwards === undefined ? '' : `, then ${afterwards.points} per ${afterwards.seconds} s`;
    return `${name}: ${parts.join(', ')}: ${counts}${then}${isHidden === true ? ', hidden' : ''}${isLeased === true ? ', leased' : ''}`;
  };

  for (const [endpoint, limits, rows] of table) {
    it(`${endpoint} is limited by ${rows.join(' and ')}`, () => {
      expect(limits.map(row)).to.deep.equal(rows);
    });
  }

  it('uses every configurable limit', () => {
    const used = new Set(table.flatMap(([, limits]) => limits.map(({ name }) => name)));
    expect([...used].sort()).to.deep.equal(Object.keys(config.rateLimits).sort());
  });
});

describe('takeLimits', () => {
  const logIn = limitsOf.logIn({ emailKey, network });

  it('takes one point from each limit at once and returns each state, except hidden ones', async () => {
    const { limiter, calls, points } = fakeLimiter();
    const { statuses, exceeded } = await takeLimits(limiter, config, logIn);
    expect(exceeded).to.equal(undefined);
    expect(statuses.map(({ name, remaining, isExceeded }) => [name, remaining, isExceeded])).to.deep.equal([
      ['login-net', 59, false],
      ['login-pair', 4, false],
    ]);
    expect(calls).to.deep.equal(['take login-net, login-pair, login-account']);
    expect([...points.values()]).to.deep.equal([1, 1, 1]);
  });

  it('takes nothing without limits', async () => {
    const { limiter, calls } = fakeLimiter();
    expect(await takeLimits(limiter, config, [])).to.deep.equal({ statuses: [], refundable: [] });
    expect(calls).to.deep.equal([]);
  });

  it('rejects when one limit is exceeded, and takes from none', async () => {
    const { limiter, points } = fakeLimiter();
    const tight = budgets({ 'login-pair': { points: 1, seconds: 900 } });
    await takeLimits(limiter, tight, logIn);
    const { statuses, exceeded, refundable } = await takeLimits(limiter, tight, logIn);
    expect(exceeded).to.deep.equal({ retryAfterSeconds: 899, limits: ['login-pair'] });
    expect(refundable).to.deep.equal([]);
    expect(statuses.map(({ name, isExceeded }) => [name, isExceeded])).to.deep.equal([
      ['login-net', false],
      ['login-pair', true],
    ]);
    expect([...points.values()]).to.deep.equal([1, 1, 1]);
  });

  it('refunds failure points taken beyond the budget, and no others', async () => {
    const { limiter, points, calls } = fakeLimiter({ meets: true });
    const mixed = [...limitsOf.verifyEmail({ network }), ...limitsOf.register({ network })];
    const tight = budgets({ verify: { points: 1, seconds: 900 } });
    await takeLimits(limiter, tight, mixed);
    expect((await takeLimits(limiter, tight, mixed)).exceeded?.retryAfterSeconds).to.equal(899);
    expect(calls.at(-1)).to.equal('give back verify');
    expect([...points.values()]).to.deep.equal([1, 2]);
  });

  it("falls back to the slower budget when an account's is used up, and rejects when both are", async () => {
    const { limiter, points } = fakeLimiter();
    const tight = budgets({ 'login-account': { points: 1, seconds: 86_400 } });
    await takeLimits(limiter, tight, logIn);
    const second = await takeLimits(limiter, tight, logIn);
    const third = await takeLimits(limiter, tight, logIn);
    expect(second.exceeded).to.equal(undefined);
    expect(second.statuses.map(({ name, remaining }) => [name, remaining])).to.deep.equal([
      ['login-net', 58],
      ['login-pair', 3],
    ]);
    expect(Object.fromEntries(points)).to.deep.equal({
      [`login-net ${network}`]: 2,
      [`login-pair ${emailKey} ${network}`]: 2,
      [`login-account ${emailKey}`]: 1,
      [`login-account-slow ${emailKey}`]: 1,
    });
    // The window's length, not its remainder, which would reveal when someone else tried.
    expect(third.exceeded).to.deep.equal({ retryAfterSeconds: 30, limits: ['login-account'] });
    expect(third.statuses.map(({ name, isExceeded }) => [name, isExceeded])).to.deep.equal([
      ['login-net', false],
      ['login-pair', false],
    ]);
  });

  it('scales the slower budget like all others', async () => {
    const slow = async (scale: number) => {
      const tight = budgets({ 'login-account': { points: 0, seconds: 1 } }, scale);
      return (await takeLimits(fakeLimiter().limiter, tight, logIn)).refundable.at(-1)?.status.limit;
    };
    expect([await slow(100), await slow(0.01)]).to.deep.equal([100, 1]);
  });

  it('treats unavailable storage as a failure, never as permission', async () => {
    const lost: RateLimiter = {
      ...fakeLimiter().limiter,
      take: () => Promise.reject(new StorageUnavailable('away')),
    };
    const failure = await takeLimits(lost, config, logIn).catch((reason: unknown) => reason);
    expect(failure).to.be.instanceOf(StorageUnavailable);
  });
});

describe('refundPoints', () => {
  const verify = [...limitsOf.verifyEmail({ network }), ...limitsOf.register({ network })];

  it('refunds failure points after a success, and no others', async () => {
    const { limiter, points } = fakeLimiter();
    await refundPoints(limiter, await takeLimits(limiter, config, verify), 'success');
    expect(Object.fromEntries(points)).to.deep.equal({ [`verify ${network}`]: 0, [`register ${network}`]: 1 });
  });

  it('keeps every point after a failure', async () => {
    const { limiter, points } = fakeLimiter();
    await refundPoints(limiter, await takeLimits(limiter, config, verify), 'wrong guess');
    expect(Object.fromEntries(points)).to.deep.equal({ [`verify ${network}`]: 1, [`register ${network}`]: 1 });
  });

  it('refunds the point of the slower budget when that one was taken', async () => {
    const { limiter, points } = fakeLimiter();
    const tight = budgets({ 'login-account': { points: 1, seconds: 86_400 } });
    const logIn = limitsOf.logIn({ emailKey, network });
    await takeLimits(limiter, tight, logIn);
    await refundPoints(limiter, await takeLimits(limiter, tight, logIn), 'success');
    expect([...points.values()]).to.deep.equal([1, 1, 1, 0]);
  });

  it('refunds nothing for a rejected request, whatever its outcome', async () => {
    const { limiter, calls } = fakeLimiter();
    const tight = budgets({ verify: { points: 0, seconds: 900 } });
    const taken = await takeLimits(limiter, tight, verify);
    calls.length = 0;
    await refundPoints(limiter, taken, 'success');
    expect(calls).to.deep.equal([]);
  });

  const code = [
    ...limitsOf.secondFactor({ userId: 'u1' }, () => okAsync()),
    ...limitsOf.currentPassword({ userId: 'u1' }),
  ];
  const key = { code: 'mfa-user u1', password: 'mfa-user current-password u1' };
  const afterTwoFailuresAnd = async (outcome: WorkOutcome) => {
    const { limiter, points } = fakeLimiter();
    for (let attempt = 0; attempt < 2; attempt += 1)
      await refundPoints(limiter, await takeLimits(limiter, config, code), 'wrong guess');
    await refundPoints(limiter, await takeLimits(limiter, config, code), outcome);
    return Object.fromEntries(points);
  };

  it('keeps success points only after a success', async () => {
    const { limiter, points } = fakeLimiter();
    const invite = limitsOf.invite({ userId: 'u1', emailKey });
    for (const outcome of ['success', 'other error', 'wrong guess', 'replay', 'success'] as const) {
      await refundPoints(limiter, await takeLimits(limiter, config, invite), outcome);
    }
    expect([...points.values()]).to.deep.equal([2, 2]);
  });

  it('reports a lock once, on the failure that starts it', async () => {
    const { limiter } = fakeLimiter();
    const locks: number[] = [];
    let attempt = 0;
    const tight = budgets({ 'mfa-user': { points: 3, seconds: 900 } });
    const limits = limitsOf.secondFactor({ userId: 'u1' }, () => okAsync(void locks.push(attempt)));
    for (const outcome of ['wrong guess', 'wrong guess', 'other error', 'wrong guess', 'wrong guess'] as const) {
      attempt += 1;
      await refundPoints(limiter, await takeLimits(limiter, tight, limits), outcome);
    }
    expect(locks).to.deep.equal([4]);
  });

  it('resets consecutive failures after a success, and nothing else', async () => {
    expect(await afterTwoFailuresAnd('success')).to.deep.equal({ [key.password]: 2 });
  });

  it('keeps the count of consecutive failures after a rejection that was not a guess, at no cost', async () => {
    expect(await afterTwoFailuresAnd('other error')).to.deep.equal({ [key.code]: 2, [key.password]: 2 });
  });

  it('continues the count after another consecutive failure', async () => {
    expect(await afterTwoFailuresAnd('wrong guess')).to.deep.equal({ [key.code]: 3, [key.password]: 3 });
  });

  const unrefunding = (failure: Error): RateLimiter => ({
    ...fakeLimiter().limiter,
    giveBack: () => Promise.reject(failure),
    clear: () => Promise.reject(failure),
  });

  it('keeps the response to completed work when storage becomes unavailable', async () => {
    const limiter = unrefunding(new StorageUnavailable('away'));
    for (const limits of [verify, code])
      await refundPoints(limiter, await takeLimits(limiter, config, limits), 'success');
  });

  it('does not hide a defect', async () => {
    const limiter = unrefunding(new TypeError('defect'));
    const taken = await takeLimits(limiter, config, verify);
    const failure = await refundPoints(limiter, taken, 'success').catch((reason: unknown) => reason);
    expect(failure).to.be.instanceOf(TypeError);
  });
});

describe('rateLimitHeaders', () => {
  it('writes one member per limit', () => {
    const statuses = [
      statusOf({ name: 'login-net', points: 60, seconds: 900 }, 8),
      statusOf({ name: 'login-pair', points: 5, seconds: 900 }, 6),
    ];
    expect(rateLimitHeaders(statuses)).to.deep.equal({
      'RateLimit-Policy': '"login-net";q=60;w=900, "login-pair";q=5;w=900',
      RateLimit: '"login-net";r=52;t=899, "login-pair";r=0;t=899',
    });
  });

  it('writes no fields without limits', () => {
    expect(rateLimitHeaders([])).to.deep.equal({});
  });
});

describe('takeLimits over PostgreSQL', function () {
  this.timeout(60_000);

  it('allows no more wrong passwords than the budget, whatever else succeeds or is rejected concurrently', async () => {
    const { url, database } = await freshDatabase();
    const databases = [database, openDatabase({ url })];
    const instances = databases.map((database) => postgresRateLimiter(database, { key: new Uint8Array(32) }));
    try {
      for (let round = 0; round < 20; round += 1) {
        const logIn = limitsOf.logIn({ emailKey: `${round}`, network: `${round}` });
        let failed = 0;
        const attempt = async (index: number): Promise<void> => {
          const limiter = instances[index % 2]!;
          const taken = await takeLimits(limiter, config, logIn);
          if (taken.exceeded !== undefined) return;
          const isConsistent = index % 4 === 0;
          if (!isConsistent) failed += 1;
          await refundPoints(limiter, taken, isConsistent ? 'success' : 'wrong guess');
        };
        await Promise.all(Array.from({ length: 100 }, (_, index) => attempt(index)));
        expect(failed).to.be.at.most(5);
        // Only failures count now, so the remaining budget can be used up, and no more.
        for (let wrong = 1; wrong < 20; wrong += 4) await attempt(wrong);
        expect(failed).to.equal(5);
        await attempt(1);
        expect(failed).to.equal(5);
      }
    } finally {
      await Promise.all(databases.map((each) => each.$pool.end()));
    }
  });
});
