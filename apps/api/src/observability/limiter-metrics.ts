import type { RateLimiter } from '@zonewright/core';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Seconds; a statement takes milliseconds unless it waits for a contended budget. */
const buckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Wraps a limiter to record its latency and the points this process has leased. */
export function measuredLimiter(limiter: RateLimiter, registry: Registry): RateLimiter {
  const durations = new Histogram({
    name: 'rate_limiter_duration_seconds',
    help: 'Time requests waited for rate limit statements',
    labelNames: ['operation'],
    buckets,
    registers: [registry],
  });
  const leased = new Counter({
    name: 'rate_limit_leased_points_total',
    help: 'Rate limit points leased from storage',
    registers: [registry],
  });
  const timed = async <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const stop = durations.startTimer({ operation });
    try {
      return await work();
    } finally {
      stop();
    }
  };
  return {
    take: (budgets) => timed('take', () => limiter.take(budgets)),
    lease: async (budgets, points, owed) => {
      const lease = await timed('lease', () => limiter.lease(budgets, points, owed));
      leased.inc(lease.points);
      return lease;
    },
    giveBack: (taken) => (taken.length === 0 ? Promise.resolve() : timed('give back', () => limiter.giveBack(taken))),
    clear: (taken) => timed('clear', () => limiter.clear(taken)),
    removeExpired: () => limiter.removeExpired(),
  };
}
