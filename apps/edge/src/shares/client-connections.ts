import type { Socket } from 'node:net';
import { Counts } from './counts.ts';

/** Connections of clients, of which each client network may have a number at a time. */
export class ClientConnections {
  readonly #max: number;
  readonly #open = new Counts();
  readonly #counted = new WeakSet<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the client may have this connection, which counts until it is closed. */
  admit(client: string, socket: Socket): boolean {
    if (this.#counted.has(socket)) return true;
    if (this.#open.of(client) >= this.#max) return false;
    this.#counted.add(socket);
    this.#open.add(client);
    socket.once('close', () => this.#open.remove(client));
    return true;
  }
}
