/**
 * An LRU cache, bounded by bytes, of immutable values by name. It checks neither permissions nor whether a value is
 * current: the caller must.
 */
export class LruCache<T> {
  readonly #maxBytes: number;
  readonly #values = new Map<string, { readonly value: T; readonly bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(name: string): T | undefined {
    const entry = this.#values.get(name);
    if (entry === undefined) return undefined;
    this.#values.delete(name);
    this.#values.set(name, entry);
    return entry.value;
  }

  set(name: string, value: T, bytes: number): void {
    this.#delete(name);
    this.#values.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#delete(oldest);
    }
  }

  #delete(name: string): boolean {
    this.#bytes -= this.#values.get(name)?.bytes ?? 0;
    return this.#values.delete(name);
  }
}
