import { NewestEntries } from '@zonewright/gate';

/** Wrong passwords that a client may try in a row, and how fast they are forgotten. */
const maxGuesses = 20;
const forgottenPerSecond = 1 / 3;
/** More clients than that at a time: those that were counted first are forgotten. */
const maxClients = 10_000;

interface Guesses {
  readonly count: number;
  readonly at: number;
}

/** Bounds how many passwords a client network may try at a zone. */
export class GuessLimit {
  readonly #now: () => number;
  readonly #guesses = new NewestEntries<Guesses>(maxClients);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a guess before it is checked; false: too many were wrong. */
  begin(client: string): boolean {
    const count = this.#countOf(client) + 1;
    if (count > maxGuesses) return false;
    this.#set(client, count);
    return true;
  }

  /** The guess was right, or has not been checked. */
  forgive(client: string): void {
    this.#set(client, this.#countOf(client) - 1);
  }

  #set(client: string, count: number): void {
    if (count <= 0) this.#guesses.delete(client);
    else this.#guesses.set(client, { count, at: this.#now() });
  }

  #countOf(client: string): number {
    const guesses = this.#guesses.get(client);
    if (guesses === undefined) return 0;
    return Math.max(0, guesses.count - ((this.#now() - guesses.at) / 1000) * forgottenPerSecond);
  }
}
