/** Milliseconds of long steps in one turn of the event loop; beyond that, further ones wait for later turns. */
const perTurn = 8;
/** Bytes that the system takes over per millisecond when a response is written. */
const bytesPerMillisecond = 400_000;

/**
 * Divides the time of the serving thread: of many large responses that are ready at once, one is written per turn of the
 * event loop, and users take turns. Small ones never wait longer than that.
 */
export class TimeSlices {
  /** Those who wait, by user, in the order of turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #spent = 0;
  #isScheduled = false;

  /** Runs a step, which returns how many bytes it made, at once if there is time, or else when it is the user's turn. */
  async run<T>(user: string, step: () => T, bytesOf: (made: T) => number): Promise<T> {
    if (this.#waiting.size > 0 || this.#spent >= perTurn) await this.#turn(user);
    const began = performance.now();
    const made = step();
    this.#spend(performance.now() - began + bytesOf(made) / bytesPerMillisecond);
    return made;
  }

  #turn(user: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#waiting.get(user) ?? [];
      line.push(resolve);
      this.#waiting.set(user, line);
      this.#schedule();
    });
  }

  #spend(milliseconds: number): void {
    this.#spent += milliseconds;
    if (this.#spent >= perTurn) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#spent = 0;
      this.#admit();
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  #admit(): void {
    for (const [user, line] of this.#waiting) {
      this.#waiting.delete(user);
      const [next, ...rest] = line;
      if (rest.length > 0) this.#waiting.set(user, rest);
      return next?.();
    }
  }
}
