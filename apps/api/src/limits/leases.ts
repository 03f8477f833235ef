import type { Budget, Lease, LimitStatus, RateLimiter } from '@zonewright/core';

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
 * Points are counted before they are used: instances together never exceed a budget. Leases in a window double in size,
 * starting at one point, so that few are wasted on callers who do not return.
 */
export class Leases implements Pick<RateLimiter, 'take' | 'giveBack'> {
  readonly #limiter: Pick<RateLimiter, 'lease'>;
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();
  /** Requested leases: simultaneous requests share one. */
  readonly #requested = new Map<string, Promise<Held>>();

  constructor(limiter: Pick<RateLimiter, 'lease'>, now: () => number = () => performance.now()) {
    this.#limiter = limiter;
    this.#now = now;
  }

  /** Takes a point from each budget, or none if one is used up. Budgets of consecutive failures cannot be leased. */
  async take(budgets: readonly Budget[]): Promise<readonly LimitStatus[]> {
    const name = JSON.stringify(budgets.map((budget) => [budget.name, ...budget.parts]));
    for (;;) {
      const held = this.#live(name);
      if (held !== undefined && held.left > 0) return this.#spend(held);
      const requested = this.#requested.get(name);
      const granted = await (requested ?? this.#request(name, budgets, nextSize(held)));
      if (granted.points === 0) return granted.statuses;
      // The requester gets the first point; the others try what remains.
      if (requested === undefined) return this.#spend(granted);
    }
  }

  /** Leased points count whether or not they are used. */
  giveBack(): Promise<void> {
    return Promise.resolve();
  }

  #live(name: string): Held | undefined {
    const held = this.#held.get(name);
    return held !== undefined && this.#now() - held.grantedAt < held.milliseconds ? held : undefined;
  }

  #spend(held: Held): readonly LimitStatus[] {
    held.left -= 1;
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
    const lease = await this.#limiter.lease(budgets, points);
    const held = { ...lease, left: lease.points, grantedAt };
    this.#held.delete(name);
    const [oldest] = this.#held.keys();
    if (oldest !== undefined && this.#held.size >= maxLeases) this.#held.delete(oldest);
    this.#held.set(name, held);
    return held;
  }
}

const nextSize = (spent: Held | undefined): number => Math.min(maxPoints, 2 * (spent?.points ?? 0.5));
