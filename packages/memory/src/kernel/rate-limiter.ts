import {
  type Budget,
  type CountedBudget,
  isLockDue,
  type Lease,
  type LimitStatus,
  leaseOf,
  leaseReserve,
  limitStatusOf,
  lockMemorySeconds,
  longestLockSeconds,
  type RateLimiter,
  windowLength,
} from '@zonewright/core';

/** The count of a budget; times are milliseconds since 1970. */
interface Counter {
  readonly points: number;
  readonly expire: number;
  /** During a lock: when the window would have ended. */
  readonly windowEnd: number | undefined;
  readonly locks: number;
}

/** Budgets in memory, for a single process. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #counters = new Map<string, Counter>();
  readonly #now: () => Date;

  constructor({ now = () => new Date() }: { readonly now?: () => Date } = {}) {
    this.#now = now;
  }

  /** The number of stored budgets, including expired ones. */
  get size(): number {
    return this.#counters.size;
  }

  async take(budgets: readonly Budget[]): Promise<readonly LimitStatus[]> {
    return this.#count(budgets, 1).map(([budget, counted]) =>
      isLockDue(budget, counted) ? this.#locked(budget, counted) : limitStatusOf(budget, counted),
    );
  }

  async lease(budgets: readonly Budget[], wanted: number, owed = 0): Promise<Lease> {
    return leaseOf(this.#count(budgets, wanted, owed), owed);
  }

  #count(budgets: readonly Budget[], wanted: number, owed = 0): readonly (readonly [Budget, CountedBudget])[] {
    const now = this.#now().getTime();
    const counters = budgets.map((budget) => ({ budget, key: keyOf(budget), counter: this.#counterOf(budget, now) }));
    const least = Math.min(...counters.map(({ budget, counter }) => budget.points - counter.points));
    const taken = least <= 0 ? 0 : owed + (least < leaseReserve ? Math.min(1, wanted) : wanted);
    return counters.map(({ budget, key, counter }) => {
      const after = { ...counter, points: counter.points + taken };
      if (taken > 0) this.#counters.set(key, after);
      return [budget, { ...after, key, taken, now }];
    });
  }

  async giveBack(taken: readonly LimitStatus[]): Promise<void> {
    for (const { key, limit, windowEndsAt } of taken) {
      const counter = this.#counters.get(key);
      // A window that began later belongs to other takes.
      if (counter === undefined || counter.points === 0) continue;
      const { points, expire, windowEnd, locks } = counter;
      if ((windowEnd ?? expire) > windowEndsAt) continue;
      // Giving back the point that began a lock undoes the lock.
      const undone = windowEnd !== undefined && points <= limit;
      const lock = undone ? { expire: windowEnd, windowEnd: undefined, locks: locks - 1 } : {};
      this.#counters.set(key, { ...counter, points: points - 1, ...lock });
    }
  }

  async clear({ key }: Pick<LimitStatus, 'key'>): Promise<void> {
    this.#counters.delete(key);
  }

  async removeExpired(): Promise<void> {
    const now = this.#now().getTime();
    for (const [key, { expire, locks }] of this.#counters) {
      if (expire < now - (locks > 0 ? lockMemorySeconds * 1000 : 0)) this.#counters.delete(key);
    }
  }

  /** The count in the current window; locks of earlier windows are remembered. */
  #counterOf(budget: Budget, now: number): Counter {
    const counter = this.#counters.get(keyOf(budget));
    if (counter !== undefined && counter.expire > now) return counter;
    const expire = now + windowLength(budget) * 1000;
    return { points: 0, expire, windowEnd: undefined, locks: counter?.locks ?? 0 };
  }

  #locked(budget: Budget, counted: CountedBudget): LimitStatus {
    const locks = this.#counters.get(counted.key)?.locks ?? 0;
    const { key, points, expire: windowEnd, now } = counted;
    const longest = Math.max(budget.seconds, longestLockSeconds);
    const expire = now + Math.min(budget.seconds * 2 ** locks, longest) * 1000;
    this.#counters.set(key, { points, expire, windowEnd, locks: locks + 1 });
    return { ...limitStatusOf(budget, { ...counted, expire, windowEnd }), beginsLock: true };
  }
}

/** JSON separates the parts: different lists of parts have different texts. */
const keyOf = ({ name, parts }: Budget): string => JSON.stringify([name, ...parts]);
