/** Bytes that may be held in memory. */
export class Room {
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#taken === 0;
  }

  get isExceeded(): boolean {
    return this.#taken > this.#max;
  }

  take(bytes: number): void {
    this.#taken += bytes;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** A zone's part of the bytes that all of them may hold. */
export class ByteShare {
  readonly #own: Room;
  readonly #all: Room;

  constructor(max: number, all: Room) {
    this.#own = new Room(max);
    this.#all = all;
  }

  get isEmpty(): boolean {
    return this.#own.isEmpty;
  }

  /** Counts bytes that are held from now on; false: they are too many, and must be given back soon. */
  take(bytes: number): boolean {
    this.#own.take(bytes);
    this.#all.take(bytes);
    return !this.#own.isExceeded && !this.#all.isExceeded;
  }

  give(bytes: number): void {
    this.#own.give(bytes);
    this.#all.give(bytes);
  }
}
