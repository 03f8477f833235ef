import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What comes in one piece, before the connection can be paused, is held in memory. */
const maxWaiting = 32;
const maxWaitingBytes = 64 * 1024;

/** What is known of a connection. */
class Connection {
  latest: ServerResponse | undefined;
  /** Node does not read from it any more. */
  isTakenOver = false;
  readonly #socket: Socket;
  #waiting = 0;
  /** Bytes that had come when the first of those that wait had. */
  #bytes = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** One more request waits, and no more is read; false: too much waits already. */
  hold(): boolean {
    if (this.#waiting === 0) this.#bytes = this.#socket.bytesRead;
    this.#waiting += 1;
    this.#settle();
    return this.#waiting <= maxWaiting && this.#socket.bytesRead - this.#bytes <= maxWaitingBytes;
  }

  release(): void {
    this.#waiting -= 1;
    this.#settle();
  }

  /** Node itself resumes the socket behind each request and each answer: this comes after that, before more is read. */
  #settle(): void {
    process.nextTick(() => {
      if (this.isTakenOver || this.#socket.destroyed) return;
      if (this.#waiting > 0) this.#socket.pause();
      else this.#socket.resume();
    });
  }
}

/**
 * The requests of a connection, which are answered one after another (RFC 9112 section 9.3.2). No more is read while one
 * waits. A client that has sent too much in one piece is cut off.
 */
export class Turns {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #begun = new WeakSet<ServerResponse>();

  /** The response to the latest request of a connection. */
  latestOn(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.latest;
  }

  /** Whether it was the turn of the request that the response is for. */
  hasBegun(response: ServerResponse): boolean {
    return this.#begun.has(response);
  }

  /** Answers a request when those before it have their answers; never, if the connection has ended by then. */
  take(socket: Socket, response: ServerResponse, work: () => void): void {
    const connection = this.#of(socket);
    const before = connection.latest;
    connection.latest = response;
    const begin = () => {
      this.#begun.add(response);
      work();
    };
    if (before === undefined || before.closed) return begin();
    if (!connection.hold()) return void socket.destroy();
    before.once('close', () => {
      if (!socket.writable) return;
      connection.release();
      begin();
    });
  }

  /**
   * Does something with a connection that Node has handed over, with an upgrade, when all requests have their answers. Node
   * listens for no errors on it from then on.
   */
  takeOver(socket: Socket, work: () => void): void {
    const connection = this.#of(socket);
    const { latest: before } = connection;
    if (before === undefined || before.closed) return work();
    connection.isTakenOver = true;
    const lose = () => socket.destroy();
    socket.on('error', lose);
    before.once('close', () => {
      if (!socket.writable) return;
      connection.isTakenOver = false;
      socket.off('error', lose);
      work();
    });
  }

  #of(socket: Socket): Connection {
    const connection = this.#connections.get(socket) ?? new Connection(socket);
    this.#connections.set(socket, connection);
    return connection;
  }
}
