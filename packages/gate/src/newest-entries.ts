/** A map of the newest entries: setting one more than it holds drops the oldest. */
export class NewestEntries<Value> {
  readonly #most: number;
  readonly #entries = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  /** Sets an entry as the newest; returns the value of the one that it drops. */
  set(key: string, value: Value): Value | undefined {
    const entries = this.#entries;
    entries.delete(key);
    entries.set(key, value);
    if (entries.size <= this.#most) return undefined;
    const [oldest = key] = entries.keys();
    const dropped = entries.get(oldest);
    entries.delete(oldest);
    return dropped;
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
