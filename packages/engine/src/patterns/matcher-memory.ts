/** Comparing one request with the patterns of a configuration takes more work than was allowed. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/**
 * Memory that the patterns of one configuration may share for states they have met, in bytes. What does not fit is
 * computed anew each time, so the result never depends on it. Also how much work one request may cause: a unit is about one
 * operation on a word of 32 bits for each byte of a subject.
 */
export class MatcherMemory {
  #left: number;
  #work = Number.POSITIVE_INFINITY;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes so many bytes; false when that many are not left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Allows so much work from here on. */
  allow(work: number): void {
    this.#work = work;
  }

  /** Throws `TooMuchWork` when that much is not left. */
  spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new TooMuchWork('Evaluating this request takes too much work.');
  }

  /** Gives bytes back. */
  release(bytes: number): void {
    this.#left += bytes;
  }
}

/** Memory for the patterns of one configuration: 16 MiB. */
export const usualMemory = 16 * 1024 * 1024;
