/** When a running edge talks to the service. Milliseconds, unless a name says otherwise. */
export const usualTiming = {
  /** How long the service holds a question about changes. */
  waitSeconds: 55,
  /** Until an answer is given up, besides the time that the service is asked to wait. */
  answerTimeout: 15_000,
  /** The pause after a first failure; doubles with each further one. */
  firstPause: 1000,
  longestPause: 30_000,
  /** Between reports, if nothing changes. */
  report: 30_000,
  /** Between two log lines about one lasting problem. */
  reminder: 60_000,
  /** Until a document that could not be fetched is asked for again. */
  retry: 30_000,
};

/** When the edge talks to the service, as in `usualTiming`. */
export type Timing = Readonly<typeof usualTiming>;

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
