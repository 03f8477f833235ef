/** How much work is a zone's, in milliseconds. */
export interface WorkBounds {
  readonly perSecond: number;
  /** What is not used is kept up to this. */
  readonly kept: number;
  /** What is not counted of each piece of work. */
  readonly free: number;
}

/** Milliseconds that pass, and milliseconds that the thread works. */
export interface WorkClocks {
  readonly now: () => number;
  readonly worked: () => number;
}

/**
 * Work that a zone may use of the thread on which all zones are evaluated. More than is left can be used once; it is owed
 * then, up to as much as can be kept.
 */
export class WorkShare {
  readonly #bounds: WorkBounds;
  readonly #clocks: WorkClocks;
  #left: number;
  #at: number;

  constructor(bounds: WorkBounds, clocks: WorkClocks) {
    this.#bounds = bounds;
    this.#clocks = clocks;
    this.#left = bounds.kept;
    this.#at = clocks.now();
  }

  get isUsedUp(): boolean {
    // Without a look at the clock where the answer is known.
    return this.#left <= 0 && this.#refilled() <= 0;
  }

  get isWhole(): boolean {
    return this.#refilled() >= this.#bounds.kept;
  }

  /** Does a piece of work, and counts the time that it takes. */
  counted<T>(work: () => T): T {
    const began = this.#clocks.worked();
    const result = work();
    const used = this.#clocks.worked() - began - this.#bounds.free;
    if (used > 0) this.#left = Math.max(-this.#bounds.kept, this.#refilled() - used);
    return result;
  }

  #refilled(): number {
    const now = this.#clocks.now();
    const { perSecond, kept } = this.#bounds;
    this.#left = Math.min(kept, this.#left + ((now - this.#at) * perSecond) / 1000);
    this.#at = now;
    return this.#left;
  }
}
