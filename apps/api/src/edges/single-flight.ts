/** Runs for several callers at once: each gets the result of a run that began after it asked. */
export class SingleFlight<T> {
  readonly #run: () => Promise<T>;
  #current: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(run: () => Promise<T>) {
    this.#run = run;
  }

  /** Whether nothing runs or is about to. */
  get isIdle(): boolean {
    return this.#current === undefined && this.#next === undefined;
  }

  /** The result of a run that begins from now on: one under way may have missed what has happened since. */
  next(): Promise<T> {
    if (this.isIdle) {
      this.#current = this.#run().finally(() => {
        this.#current = undefined;
      });
      return this.#current;
    }
    this.#next ??= this.ended().then(() => {
      this.#next = undefined;
      return this.next();
    });
    return this.#next;
  }

  /** Resolves when the run under way, if any, has ended. */
  async ended(): Promise<void> {
    await this.#current?.catch(() => undefined);
  }
}
