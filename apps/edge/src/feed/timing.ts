/** When the edge talks to the service. Milliseconds, unless a name says otherwise. */
export interface Timing {
  /** How long the service holds a question about changes. */
  readonly waitSeconds: number;
  /** Until an answer is given up, besides the time that the service is asked to wait. */
  readonly patience: number;
  /** The pause after a first failure; doubles with each further one. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** Between reports, if nothing changes. */
  readonly report: number;
  /** Between two log lines about one lasting problem. */
  readonly reminder: number;
  /** Until a document that could not be fetched is asked for again. */
  readonly retry: number;
}

/** The timing of a running edge. */
export const usualTiming: Timing = {
  waitSeconds: 55,
  patience: 15_000,
  firstPause: 1000,
  longestPause: 30_000,
  report: 30_000,
  reminder: 60_000,
  retry: 30_000,
};

/** Growing pauses between attempts; each is shortened at random, so that edges do not come back all at once. */
export class Pauses {
  readonly #timing: Pick<Timing, 'firstPause' | 'longestPause'>;
  #failures = 0;

  constructor(timing: Pick<Timing, 'firstPause' | 'longestPause'>) {
    this.#timing = timing;
  }

  /** The next pause, from half to all of its length. */
  next(random = Math.random()): number {
    const { firstPause, longestPause } = this.#timing;
    const whole = Math.min(longestPause, firstPause * 2 ** this.#failures);
    this.#failures += 1;
    return whole * (0.5 + random / 2);
  }

  /** After a success. */
  reset(): void {
    this.#failures = 0;
  }
}
