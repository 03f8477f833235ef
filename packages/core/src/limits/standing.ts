import type { Budget, Lease, LimitStanding } from './ports.ts';

/** How long points in a row are remembered, and the longest lock. A day of wrong codes, one now and then, guesses none. */
export const longestLockSeconds = 24 * 60 * 60;

/** Where fewer points are left, they are taken one at a time: none is lost to a process that does not spend it. */
export const leaseReserve = 32;

/** Seconds of a window that a point begins; points in a row are remembered for a day at least. */
export const windowLength = ({ seconds, inARow }: Budget): number =>
  inARow === true ? Math.max(seconds, longestLockSeconds) : seconds;

/** What storage has counted for a budget right after a point was asked for; moments are milliseconds since 1970. */
export interface CountedBudget {
  readonly key: string;
  readonly points: number;
  /** When the window ends, or the lock. */
  readonly expire: number;
  /** During a lock: when the window would have ended. */
  readonly windowEnd: number | undefined;
  /** How many of them this call took: all that were asked for, or none. */
  readonly taken: number;
  readonly now: number;
}

/** Whether a lock of the budget is due and has not begun. */
export const isLockDue = ({ inARow, points }: Budget, counted: CountedBudget): boolean =>
  inARow === true && counted.points >= points && counted.windowEnd === undefined;

/** What a caller is to know of what was counted. */
export const standingOf = ({ name, points, seconds }: Budget, counted: CountedBudget): LimitStanding => ({
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

/** What may be spent of what was counted: points beyond a budget are not among it. */
export function leaseOf(counted: readonly (readonly [Budget, CountedBudget])[]): Lease {
  const granted = counted.map(([{ points }, each]) => Math.min(each.taken, points - (each.points - each.taken)));
  return {
    points: Math.max(0, Math.min(...granted)),
    milliseconds: Math.min(...counted.map(([, { expire, now }]) => expire - now)),
    standings: counted.map(([budget, each]) => standingOf(budget, each)),
  };
}
