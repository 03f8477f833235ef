/**
 * Memory, in bytes, that the patterns of a configuration share for cached states. What does not fit is recomputed, so
 * results do not depend on it. Also limits the work per request: a unit is about one operation on a 32-bit word per
 * byte of a subject.
 */
export class MatcherBudget {
  #left: number;
  #work = Number.POSITIVE_INFINITY;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Reserves bytes; false if too few are left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Whether more work was needed than allowed; what was computed with this budget is then meaningless. */
  get isExhausted(): boolean {
    return this.#work < 0;
  }

  /** Sets the allowed work from here on. */
  allow(work: number): void {
    this.#work = work;
  }

  /** Whether enough was left. Once exhausted, nothing is left. */
  spend(work: number): boolean {
    this.#work -= work;
    return this.#work >= 0;
  }

  /** Returns bytes. */
  release(bytes: number): void {
    this.#left += bytes;
  }
}

/** Default memory for the patterns of a configuration: 16 MiB. */
export const defaultMatcherBytes = 16 * 1024 * 1024;
