import type { RateLimiter } from '@zonewright/core';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Seconds; a statement takes milliseconds unless others wait for the same budget. */
const buckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The limiter, with the time that requests wait for it, and the points that this process has leased from it. */
export function measuredLimiter(limiter: RateLimiter, registry: Registry): RateLimiter {
  const durations = new Histogram({
    name: 'rate_limiter_duration_seconds',
    help: 'How long requests waited for budgets of rate limits in storage',
    labelNames: ['operation'],
    buckets,
    registers: [registry],
  });
  const leased = new Counter({
    name: 'rate_limit_leased_points_total',
    help: 'Points of rate limits that were leased from storage',
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
    lease: async (budgets, wanted) => {
      const lease = await timed('lease', () => limiter.lease(budgets, wanted));
      leased.inc(lease.points);
      return lease;
    },
    giveBack: (taken) => (taken.length === 0 ? Promise.resolve() : timed('give back', () => limiter.giveBack(taken))),
    clear: (taken) => timed('clear', () => limiter.clear(taken)),
    removeExpired: () => limiter.removeExpired(),
  };
}
