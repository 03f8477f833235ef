/** Thrown by `Work.spend` and `Work.refuse`, and caught by `Work.within`. */
class Refused extends Error {}

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
    if (this.#spent > this.#limit) throw new Refused('An evaluation takes more work than it may.');
  }

  /** Ends an evaluation that could only guess. */
  refuse(reason: string): never {
    throw new Refused(reason);
  }

  /** What the function returns, and the units it took, at most the limit; undefined if it was refused. */
  within<T>(limit: number, answer: () => T): { readonly answer: T | undefined; readonly work: number } {
    this.#limit = limit;
    this.#spent = 0;
    try {
      return { answer: answer(), work: this.#spent };
    } catch (error) {
      if (error instanceof Refused) return { answer: undefined, work: Math.min(this.#spent, limit) };
      throw error;
    } finally {
      this.#limit = Number.POSITIVE_INFINITY;
    }
  }
}

/** Units of work in a millisecond of processor time. */
export const workPerMillisecond = 100_000;
