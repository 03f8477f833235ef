/** How much work is a zone's, in milliseconds. */
export interface WorkBounds {
  readonly perSecond: number;
  /** What is not used is kept up to this. */
  readonly kept: number;
  /** What is not counted of each piece of work. */
  readonly free: number;
}

/** Milliseconds that pass, and milliseconds of processor time that this process takes. */
export interface WorkClocks {
  readonly now: () => number;
  readonly worked: () => number;
}

/** The clocks of this process. */
export const processClocks: WorkClocks = {
  now: () => performance.now(),
  worked: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

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
    return this.#refilled() <= 0;
  }

  get isWhole(): boolean {
    return this.#refilled() >= this.#bounds.kept;
  }

  /** Does a piece of work, and counts the time that it takes. */
  counted<T>(work: () => T): T {
    const { now, worked } = this.#clocks;
    const [began, before] = [now(), worked()];
    const result = work();
    // Other threads may work meanwhile, and other programs may have the processor: neither is the zone's doing.
    const used = Math.min(now() - began, worked() - before) - this.#bounds.free;
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
