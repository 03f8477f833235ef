import type { Budget, Lease, LimitStatus } from './ports.ts';

/**
 * How long consecutive points are remembered, and the longest lock: long enough that occasional wrong codes do not add
 * up to a brute-force attack.
 */
export const longestLockSeconds = 24 * 60 * 60;

/** After this time without a lock, the next one is as short as the first: 30 days. */
export const lockMemorySeconds = 30 * 24 * 60 * 60;

/** Below this, points are taken one at a time, so that none is left unused on another instance. */
export const leaseReserve = 32;

/** Length of a window in seconds; consecutive points are remembered for at least a day. */
export const windowLength = ({ seconds, consecutive }: Budget): number =>
  consecutive === true ? Math.max(seconds, longestLockSeconds) : seconds;

/** The count in storage right after a point was requested; times are milliseconds since 1970. */
export interface CountedBudget {
  readonly key: string;
  readonly points: number;
  /** When the window or the lock ends. */
  readonly expire: number;
  /** During a lock: when the window would have ended. */
  readonly windowEnd: number | undefined;
  /** How many points this call took: all that it requested, or none. */
  readonly taken: number;
  readonly now: number;
}

/** Whether the budget is due for a lock that has not started. */
export const isLockDue = ({ consecutive, points }: Budget, counted: CountedBudget): boolean =>
  consecutive === true && counted.points >= points && counted.windowEnd === undefined;

/** What a caller learns about the count. */
export const limitStatusOf = ({ name, points, seconds }: Budget, counted: CountedBudget): LimitStatus => ({
  name,
  key: counted.key,
  limit: points,
  windowSeconds: seconds,
  remaining: Math.max(0, points - counted.points),
  resetSeconds: Math.max(1, Math.ceil((counted.expire - counted.now) / 1000)),
  windowEndsAt: counted.windowEnd ?? counted.expire,
  isExceeded: counted.points - counted.taken >= points,
  isTaken: counted.taken > 0,
  beginsLock: false,
});

/** The points that may be spent; those beyond a budget, or owed for earlier work, are not included. */
export function leaseOf(all: readonly (readonly [Budget, CountedBudget])[], owed: number): Lease {
  const counted = all.map(([budget, each]) => [budget, { ...each, taken: Math.max(0, each.taken - owed) }] as const);
  const granted = counted.map(([{ points }, each]) => Math.min(each.taken, points - (each.points - each.taken)));
  return {
    points: Math.max(0, Math.min(...granted)),
    milliseconds: Math.min(...counted.map(([, { expire, now }]) => expire - now)),
    statuses: counted.map(([budget, each]) => limitStatusOf(budget, each)),
  };
}
