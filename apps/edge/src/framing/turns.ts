import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Requests on a connection that may wait for the answers to those before them. A client that has sent more without an
 * answer is cut off, because all of them are held in memory.
 */
const maxWaiting = 1000;

/** The requests of a connection, which are answered one after another (RFC 9112 section 9.3.2). */
export class Turns {
  readonly #latest = new WeakMap<Duplex, ServerResponse>();
  readonly #waiting = new WeakMap<Duplex, number>();
  readonly #begun = new WeakSet<ServerResponse>();

  /** The response to the latest request of a connection. */
  latestOn(socket: Duplex): ServerResponse | undefined {
    return this.#latest.get(socket);
  }

  /** Whether it was the turn of the request that the response is for. */
  hasBegun(response: ServerResponse): boolean {
    return this.#begun.has(response);
  }

  /** Answers a request when those before it have their answers; never, if the connection has ended by then. */
  take(socket: Duplex, response: ServerResponse, work: () => void): void {
    const before = this.#latest.get(socket);
    this.#latest.set(socket, response);
    this.#after(before, socket, () => {
      this.#begun.add(response);
      work();
    });
  }

  /**
   * Does something with a connection that Node has handed over, with an upgrade, when all requests have their answers. Node
   * listens for no errors on it from then on.
   */
  takeOver(socket: Duplex, work: () => void): void {
    const lose = () => socket.destroy();
    socket.on('error', lose);
    this.#after(this.#latest.get(socket), socket, () => {
      socket.off('error', lose);
      work();
    });
  }

  #after(before: ServerResponse | undefined, socket: Duplex, work: () => void): void {
    if (before === undefined || before.closed) return work();
    const waiting = this.#waiting.get(socket) ?? 0;
    if (waiting >= maxWaiting) return void socket.destroy();
    this.#waiting.set(socket, waiting + 1);
    before.once('close', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      if (socket.writable) work();
    });
  }
}
