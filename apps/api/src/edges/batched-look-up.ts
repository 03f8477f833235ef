import { SingleFlight } from './single-flight.ts';

/** Looks up what keys of several callers name with one read, which begins after all of them asked. */
export class BatchedLookUp<K, V> {
  readonly #asked = new Set<K>();
  readonly #run: SingleFlight<ReadonlyMap<K, V>>;

  constructor(read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#run = new SingleFlight(() => {
      const keys = [...this.#asked];
      this.#asked.clear();
      return read(keys);
    });
  }

  /** What the key names; undefined: nothing. */
  async of(key: K): Promise<V | undefined> {
    this.#asked.add(key);
    return (await this.#run.next()).get(key);
  }
}
