/** How much work is a zone's, in milliseconds. */
export interface WorkBounds {
  readonly perSecond: number;
  /** What is not used is kept up to this. */
  readonly kept: number;
  /** What is not counted of each piece of work. */
  readonly free: number;
}

/**
 * Work that a zone may use of the thread on which all zones are evaluated. More than is left can be used once; it is owed
 * then, up to as much as can be kept.
 */
export class WorkShare {
  readonly #bounds: WorkBounds;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(bounds: WorkBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
    this.#left = bounds.kept;
    this.#at = now();
  }

  get isUsedUp(): boolean {
    // Without a look at the clock where the answer is known.
    return this.#left <= 0 && this.#refilled() <= 0;
  }

  get isWhole(): boolean {
    return this.#refilled() >= this.#bounds.kept;
  }

  /** Counts a piece of work that was done. */
  charge(milliseconds: number): void {
    const used = milliseconds - this.#bounds.free;
    if (used > 0) this.#left = Math.max(-this.#bounds.kept, this.#refilled() - used);
  }

  #refilled(): number {
    const now = this.#now();
    const { perSecond, kept } = this.#bounds;
    this.#left = Math.min(kept, this.#left + ((now - this.#at) * perSecond) / 1000);
    this.#at = now;
    return this.#left;
  }
}
