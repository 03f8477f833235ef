/** A budget of `points` per window of `seconds`. The window begins with the first point taken and is never extended. */
export interface RateLimitPolicy {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  /**
   * Points in a row: they count until `clear`, however far apart they are taken (within a day of the first one), and
   * the last of them begins a lock. The first lock lasts `seconds`, each one after it twice as long as the one before,
   * up to a day; `clear`, or 30 days without another lock, begins anew.
   */
  readonly inARow?: boolean;
}

/** A limit and whose budget it is. `parts` (an address, a user) are never stored as they are where others can read them. */
export interface Budget extends RateLimitPolicy {
  readonly parts: readonly string[];
}

/** How a caller stands with one limit right after asking for a point. */
export interface LimitStanding {
  readonly name: string;
  /** Names the budget in storage. */
  readonly key: string;
  /** Points of a whole window. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, or the lock: 1 to `windowSeconds`, or to a day. */
  readonly resetSeconds: number;
  /** Milliseconds since 1970; distinguishes the windows of one key. */
  readonly windowEndsAt: number;
  /** There was no point left: the work that it would pay for must not be done. */
  readonly isExceeded: boolean;
  /** A point was taken, maybe one beyond the budget. All points of a call are taken, or none. */
  readonly isTaken: boolean;
  /** A lock begins with this point, unless it is given back. True for one point only, however many are taken at once. */
  readonly beginsLock: boolean;
}

/** Points taken beforehand, which one process may spend without asking again. */
export interface Lease {
  /** How many may be spent; none where a budget is spent. */
  readonly points: number;
  /** How long they may be spent: until the first of the windows ends. */
  readonly milliseconds: number;
  /** With all points of the lease taken, in the order asked. */
  readonly standings: readonly LimitStanding[];
}

/**
 * Budgets shared by all instances. Every method rejects with `StorageUnavailable` when the budgets cannot be reached:
 * never free passage.
 */
export interface RateLimiter {
  /**
   * Takes a point from each budget in one step, or none where one of them is spent; standings are in the order asked.
   * Of any number of simultaneous calls at most `points` are not exceeded. No budget may be named twice.
   */
  take(budgets: readonly Budget[]): Promise<readonly LimitStanding[]>;
  /**
   * As `take`, of `wanted` points at once; of one where fewer than `leaseReserve` are left in a budget. Of any number
   * of simultaneous calls, the points of all leases are never more than those of a budget.
   */
  lease(budgets: readonly Budget[], wanted: number): Promise<Lease>;
  /** Undoes one `take` of each budget while its window lasts; afterwards, and at zero, there is nothing to undo. */
  giveBack(taken: readonly LimitStanding[]): Promise<void>;
  /** Gives all points back, no matter who took them: what was counted in a row begins anew, and a lock ends. */
  clear(taken: Pick<LimitStanding, 'key'>): Promise<void>;
  /** Removes budgets whose window is over. May run at any time and on several instances. */
  removeExpired(): Promise<void>;
}
