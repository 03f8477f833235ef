/** A budget of `points` per fixed window of `seconds`, which starts with the first point taken. */
export interface RateLimitPolicy {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  /**
   * Consecutive points: they count until `clear`, for up to a day after the first one, and the last one starts a lock.
   * The first lock lasts `seconds` and each further one twice as long, up to a day; `clear`, or 30 days without a lock,
   * resets that.
   */
  readonly consecutive?: boolean;
}

/** A limit for one subject. `parts` (an address, a user) are never stored in readable form. */
export interface Budget extends RateLimitPolicy {
  readonly parts: readonly string[];
}

/** The state of one limit right after a caller asked for a point. */
export interface LimitStatus {
  readonly name: string;
  /** Identifies the budget in storage. */
  readonly key: string;
  /** Points per window. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds until the window or the lock ends: 1 to `windowSeconds`, or up to a day. */
  readonly resetSeconds: number;
  /** Milliseconds since 1970; tells windows of the same key apart. */
  readonly windowEndsAt: number;
  /** No point was left: the caller must not do the work. */
  readonly isExceeded: boolean;
  /** A point was taken, possibly one beyond the budget. A call takes all its points or none. */
  readonly isTaken: boolean;
  /** This point starts a lock, unless it is given back. True for one point only, even under concurrency. */
  readonly beginsLock: boolean;
}

/** Points taken in advance, which one process may spend without asking again. */
export interface Lease {
  /** How many may be spent; 0 if a budget is exhausted. */
  readonly points: number;
  /** How long they may be spent: until the first window ends. */
  readonly milliseconds: number;
  /** The state with all points of the lease taken, in the order of the budgets. */
  readonly statuses: readonly LimitStatus[];
}

/**
 * Budgets shared by all instances. Every method rejects with `StorageUnavailable` if storage cannot be reached: limits
 * never fail open.
 */
export interface RateLimiter {
  /**
   * Atomically takes a point from each budget, or none if one of them is exhausted; results are in the order of the
   * budgets. Of any number of concurrent calls, at most `points` succeed. No budget may occur twice.
   */
  take(budgets: readonly Budget[]): Promise<readonly LimitStatus[]>;
  /**
   * Like `take` for `wanted` points at once, or for one if a budget has fewer than `leaseReserve` points left.
   * Concurrent leases never exceed a budget. Points `owed` for work that has been done are taken as well, even beyond a
   * budget, which counts as exceeded then; an exhausted budget takes no more.
   */
  lease(budgets: readonly Budget[], wanted: number, owed?: number): Promise<Lease>;
  /** Undoes one `take` of each budget while its window lasts; does nothing afterwards or at zero. */
  giveBack(taken: readonly LimitStatus[]): Promise<void>;
  /** Returns all points of a budget, taken by any process: resets consecutive points and ends a lock. */
  clear(taken: Pick<LimitStatus, 'key'>): Promise<void>;
  /** Removes budgets whose window has ended. Safe to run at any time, on several instances. */
  removeExpired(): Promise<void>;
}
