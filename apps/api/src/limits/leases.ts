import type { Budget, Lease, LimitStanding, RateLimiter } from '@zonewright/core';

/** Points that storage grants at once, at most: what an instance that ends can waste. */
const maxPoints = 8;

/** Beyond so many callers, the lease granted longest ago is given up. */
const maxLeases = 10_000;

/** A lease, and what is left of it. */
interface Held extends Lease {
  left: number;
  /** By `performance.now()`. */
  readonly grantedAt: number;
}

/**
 * Takes points of budgets that storage has granted this process beforehand, so that most requests do not ask it. Every
 * point is counted before it is spent: instances together never spend more than a budget has. The first lease in a window
 * is one point, each further one twice as large as the one before, so that few are wasted on callers who do not come back.
 */
export class Leases implements Pick<RateLimiter, 'take' | 'giveBack'> {
  readonly #limiter: Pick<RateLimiter, 'lease'>;
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();
  /** Asked for and not granted yet: simultaneous requests share a lease. */
  readonly #coming = new Map<string, Promise<Held>>();

  constructor(limiter: Pick<RateLimiter, 'lease'>, now: () => number = () => performance.now()) {
    this.#limiter = limiter;
    this.#now = now;
  }

  /** Takes a point from each budget, or none where one of them is spent. None of them may be of points in a row. */
  async take(budgets: readonly Budget[]): Promise<readonly LimitStanding[]> {
    const name = JSON.stringify(budgets.map((budget) => [budget.name, ...budget.parts]));
    for (;;) {
      const held = this.#live(name);
      if (held !== undefined && held.left > 0) return this.#spend(held);
      const coming = this.#coming.get(name);
      const granted = await (coming ?? this.#ask(name, budgets, nextSize(held)));
      if (granted.points === 0) return granted.standings;
      // Who asked has the first point; the others see what is left.
      if (coming === undefined) return this.#spend(granted);
    }
  }

  /** What is leased counts whether or not it is used. */
  giveBack(): Promise<void> {
    return Promise.resolve();
  }

  #live(name: string): Held | undefined {
    const held = this.#held.get(name);
    return held !== undefined && this.#now() - held.grantedAt < held.milliseconds ? held : undefined;
  }

  #spend(held: Held): readonly LimitStanding[] {
    held.left -= 1;
    const seconds = Math.floor((this.#now() - held.grantedAt) / 1000);
    return held.standings.map((standing) => ({
      ...standing,
      remaining: standing.remaining + held.left,
      resetSeconds: Math.max(1, standing.resetSeconds - seconds),
    }));
  }

  #ask(name: string, budgets: readonly Budget[], wanted: number): Promise<Held> {
    const coming = this.#granted(name, budgets, wanted).finally(() => this.#coming.delete(name));
    this.#coming.set(name, coming);
    return coming;
  }

  async #granted(name: string, budgets: readonly Budget[], wanted: number): Promise<Held> {
    // Before storage looks at its clock: the lease ends here before its window ends there.
    const grantedAt = this.#now();
    const lease = await this.#limiter.lease(budgets, wanted);
    const held = { ...lease, left: lease.points, grantedAt };
    this.#held.delete(name);
    const [oldest] = this.#held.keys();
    if (oldest !== undefined && this.#held.size >= maxLeases) this.#held.delete(oldest);
    this.#held.set(name, held);
    return held;
  }
}

const nextSize = (spent: Held | undefined): number => Math.min(maxPoints, 2 * (spent?.points ?? 0.5));
