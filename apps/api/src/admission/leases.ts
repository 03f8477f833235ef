import type { Budget, Lease, LimitStatus, RateLimiter } from '@zonewright/core';
import { NewestEntries } from '@zonewright/gate';

/** Maximum points of a lease: what an instance that exits can waste. */
const maxPoints = 8;

/** Beyond this number of callers, the oldest lease is dropped. */
const maxLeases = 10_000;

/** A lease and its remaining points. */
interface Held extends Lease {
  left: number;
  /** In `performance.now()` time. */
  readonly grantedAt: number;
}

/**
 * Takes points from leases that storage has granted this process in advance, so that most requests need no statement.
 * Points are counted before they are used: instances together never exceed a budget by more than requests in progress
 * turn out to cost. Leases in a window double in size, starting at one point, so that few are wasted on callers who do
 * not return. A budget that is used up is remembered until its window ends.
 */
export class Leases implements Pick<RateLimiter, 'take' | 'giveBack'> {
  readonly #limiter: Pick<RateLimiter, 'lease'>;
  readonly #now: () => number;
  readonly #held = new NewestEntries<Held>(maxLeases);
  /** Requested leases: simultaneous requests share one. */
  readonly #requested = new Map<string, Promise<Held>>();
  /** Points for work that has been done, which storage does not know of yet. */
  readonly #owed = new NewestEntries<number>(maxLeases);
  /** When the windows of budgets that are used up end, by their keys in storage. */
  readonly #usedUp = new NewestEntries<number>(maxLeases);

  constructor(limiter: Pick<RateLimiter, 'lease'>, now: () => number = () => performance.now()) {
    this.#limiter = limiter;
    this.#now = now;
  }

  /** Takes a point from each budget, or none if one is used up. Budgets of consecutive failures cannot be leased. */
  async take(budgets: readonly Budget[]): Promise<readonly LimitStatus[]> {
    const name = nameOf(budgets);
    for (;;) {
      const held = this.#live(name);
      if (held !== undefined && isExceeded(held)) return this.#statusesOf(held);
      if (held !== undefined && held.left > 0 && this.#isSpendable(name, held)) return this.#spend(held);
      const requested = this.#requested.get(name);
      const granted = await (requested ?? this.#request(name, budgets, nextSize(held)));
      if (isExceeded(granted)) return granted.statuses;
      // The requester gets the first point; the others try what remains.
      if (requested === undefined) return this.#spend(granted);
    }
  }

  /** Whether `take` would find a budget used up without asking storage. */
  isUsedUp(budgets: readonly Budget[]): boolean {
    const held = this.#live(nameOf(budgets));
    return held !== undefined && isExceeded(held);
  }

  /**
   * Takes points for work that has been done: from the lease, and otherwise from storage, before the next `take`.
   * Rejects if storage cannot be reached; then the next `take` tries again.
   */
  async charge(budgets: readonly Budget[], points: number): Promise<void> {
    const name = nameOf(budgets);
    const held = this.#live(name);
    const leased = Math.min(points, held?.left ?? 0);
    if (held !== undefined) held.left -= leased;
    if (leased === points) return;
    this.#owe(name, points - leased);
    // A lease that is under way does not include what has been added.
    await this.#requested.get(name);
    // At once, because other credentials of the user do not know of it.
    if (this.#owed.has(name)) await this.#request(name, budgets, 0);
  }

  /** Leased points count whether or not they are used. */
  giveBack(): Promise<void> {
    return Promise.resolve();
  }

  #live(name: string): Held | undefined {
    const held = this.#held.get(name);
    return held !== undefined && this.#now() - held.grantedAt < held.milliseconds ? held : undefined;
  }

  /** Not before debts are settled, and not after another credential has used up a common budget. */
  #isSpendable(name: string, { statuses }: Held): boolean {
    if (this.#owed.has(name)) return false;
    return this.#usedUp.size === 0 || statuses.every(({ key }) => (this.#usedUp.get(key) ?? 0) <= this.#now());
  }

  #spend(held: Held): readonly LimitStatus[] {
    held.left -= 1;
    return this.#statusesOf(held);
  }

  #statusesOf(held: Held): readonly LimitStatus[] {
    const seconds = Math.floor((this.#now() - held.grantedAt) / 1000);
    return held.statuses.map((status) => ({
      ...status,
      remaining: status.remaining + held.left,
      resetSeconds: Math.max(1, status.resetSeconds - seconds),
    }));
  }

  #request(name: string, budgets: readonly Budget[], points: number): Promise<Held> {
    const requested = this.#granted(name, budgets, points).finally(() => this.#requested.delete(name));
    this.#requested.set(name, requested);
    return requested;
  }

  async #granted(name: string, budgets: readonly Budget[], points: number): Promise<Held> {
    // Read before storage reads its clock, so that the lease ends before its window.
    const grantedAt = this.#now();
    const owed = this.#owed.get(name) ?? 0;
    this.#owed.delete(name);
    const lease = await this.#limiter.lease(budgets, points, owed).catch((failure: unknown) => {
      if (owed > 0) this.#owe(name, owed);
      throw failure;
    });
    const held = { ...lease, left: lease.points, grantedAt };
    this.#held.set(name, held);
    for (const { key } of lease.statuses.filter((status) => status.isExceeded)) {
      this.#usedUp.set(key, grantedAt + lease.milliseconds);
    }
    return held;
  }

  #owe(name: string, points: number): void {
    this.#owed.set(name, points + (this.#owed.get(name) ?? 0));
  }
}

const nameOf = (budgets: readonly Budget[]): string =>
  JSON.stringify(budgets.map((budget) => [budget.name, ...budget.parts]));

const isExceeded = ({ statuses }: Lease): boolean => statuses.some((status) => status.isExceeded);

const nextSize = (spent: Held | undefined): number => Math.min(maxPoints, Math.max(1, 2 * (spent?.points ?? 0)));
