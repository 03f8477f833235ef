import { Counts } from './counts.ts';

/** How many places there are, and how many requests may wait for one. */
export interface PlaceBounds {
  readonly places: number;
  readonly placesPerClient: number;
  readonly waiting: number;
  readonly waitingPerClient: number;
  readonly waitSeconds: number;
}

/** A place, or one in the queue. */
export interface Place {
  readonly isInside: boolean;
  /** Frees the place, or gives up waiting; once or several times. */
  readonly leave: () => void;
}

/** What happens with a request that waits. */
export interface WaitingRequest {
  readonly entered: () => void;
  readonly waitedTooLong: () => void;
}

interface Waiting extends WaitingRequest {
  readonly client: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Places of one zone, of which no client has more than its part. Who finds none waits in a queue that has a length and a
 * deadline; clients that have all of their places let others pass.
 */
export class Places {
  readonly #bounds: PlaceBounds;
  readonly #inside = new Counts();
  readonly #waiting = new Counts();
  readonly #queue = new Set<Waiting>();
  #taken = 0;

  constructor(bounds: PlaceBounds) {
    this.#bounds = bounds;
  }

  get isEmpty(): boolean {
    return this.#taken + this.#queue.size === 0;
  }

  /** A place for a request of the client, now or later; undefined if too many wait already. */
  enter(client: string, request: WaitingRequest): Place | undefined {
    if (this.#hasPlaceFor(client)) return { isInside: true, leave: this.#take(client) };
    const { waiting, waitingPerClient } = this.#bounds;
    if (this.#queue.size >= waiting || this.#waiting.of(client) >= waitingPerClient) return undefined;
    return this.#wait(client, request);
  }

  #hasPlaceFor(client: string): boolean {
    return this.#taken < this.#bounds.places && this.#inside.of(client) < this.#bounds.placesPerClient;
  }

  #take(client: string): () => void {
    this.#taken += 1;
    this.#inside.add(client);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#taken -= 1;
      this.#inside.remove(client);
      this.#admitNext();
    };
  }

  #wait(client: string, { entered, waitedTooLong }: WaitingRequest): Place {
    let leave = () => this.#leaveQueue(waiting);
    const waiting: Waiting = {
      client,
      entered: () => {
        leave = this.#take(client);
        entered();
      },
      waitedTooLong,
      timer: setTimeout(() => {
        this.#leaveQueue(waiting);
        waitedTooLong();
      }, this.#bounds.waitSeconds * 1000),
    };
    this.#queue.add(waiting);
    this.#waiting.add(client);
    return { isInside: false, leave: () => leave() };
  }

  #leaveQueue(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    if (this.#queue.delete(waiting)) this.#waiting.remove(waiting.client);
  }

  #admitNext(): void {
    for (const waiting of this.#queue) {
      if (!this.#hasPlaceFor(waiting.client)) continue;
      this.#leaveQueue(waiting);
      return waiting.entered();
    }
  }
}
