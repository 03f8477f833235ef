import { JointRun } from './joint-run.ts';

/** Looks up what keys of several callers name with one read, which begins after all of them asked. */
export class JointLookUp<K, V> {
  readonly #asked = new Set<K>();
  readonly #run: JointRun<ReadonlyMap<K, V>>;

  constructor(read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#run = new JointRun(() => {
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
