/**
 * Memory that the patterns of one configuration may share for states they have met, in bytes. What does not fit is
 * computed anew each time, so the result never depends on it.
 */
export class MatcherMemory {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes so many bytes; false when that many are not left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Gives bytes back. */
  release(bytes: number): void {
    this.#left += bytes;
  }
}

/** Memory for the patterns of one configuration: 16 MiB. */
export const usualMemory = 16 * 1024 * 1024;
