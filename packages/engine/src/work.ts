/** Thrown by `Work.spend`, and caught by `Work.within`. */
class TooMuchWork extends Error {}

/**
 * The work of one evaluation at a time, in units of about 10 ns. Whatever takes time in proportion to a text, a list or
 * a number of rules is charged before it is done, so an evaluation ends at its limit.
 */
export class Work {
  #limit = Number.POSITIVE_INFINITY;
  #spent = 0;

  /** Charges units; an evaluation beyond its limit ends here. */
  spend(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#limit) throw new TooMuchWork('An evaluation takes more work than it may.');
  }

  /** What the function returns, and the units it took; undefined, and the limit, if it would take more. */
  within<T>(limit: number, answer: () => T): { readonly answer: T | undefined; readonly work: number } {
    this.#limit = limit;
    this.#spent = 0;
    try {
      return { answer: answer(), work: this.#spent };
    } catch (error) {
      if (error instanceof TooMuchWork) return { answer: undefined, work: limit };
      throw error;
    } finally {
      this.#limit = Number.POSITIVE_INFINITY;
    }
  }
}

/** Units of work in a millisecond of processor time. */
export const workPerMillisecond = 100_000;
