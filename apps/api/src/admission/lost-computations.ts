import { NewestEntries } from '@zonewright/gate';

const seconds = 10 * 60;

/** Beyond this number, the oldest is forgotten. */
const maxRemembered = 1000;

/** The computations that cost a thread its life in the last ten minutes, by their digest. */
export class LostComputations {
  /** When each may be tried again, in `performance.now()` time. */
  readonly #until = new NewestEntries<number>(maxRemembered);

  remember(digest: string): void {
    this.#until.set(digest, performance.now() + seconds * 1000);
  }

  /** Seconds until the computation may be tried again; 0: now. */
  secondsLeft(digest: string): number {
    const until = this.#until.get(digest);
    if (until === undefined) return 0;
    const left = Math.ceil((until - performance.now()) / 1000);
    if (left > 0) return left;
    this.#until.delete(digest);
    return 0;
  }
}
