import type { Work } from '../work.ts';

/**
 * Memory, in bytes, that the patterns of a configuration share for cached states. What does not fit is recomputed, so
 * results do not depend on it.
 */
export class PatternMemory {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Reserves bytes; false if too few are left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Returns bytes. */
  release(bytes: number): void {
    this.#left += bytes;
  }
}

/** What matching takes: memory of the configuration, and work of the evaluation. */
export interface PatternResources {
  readonly memory: PatternMemory;
  readonly work: Work;
}

/** Default memory for the patterns of a configuration: 16 MiB. */
export const defaultPatternMemory = 16 * 1024 * 1024;
