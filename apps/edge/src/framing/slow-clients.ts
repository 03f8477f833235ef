import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isBelowRate, readingStretch, type Stretch } from '@zonewright/gate';

/** The lowest rate at which clients may send bodies and read answers. */
export interface ClientPace {
  readonly bytesPerSecond: number;
  /** Seconds of waiting for a body after which it is judged. */
  readonly sendingSeconds: number;
  /** Seconds of unread bytes after which an answer is judged. */
  readonly readingSeconds: number;
}

/** A body that a client sends. Time counts only while the edge waits for its bytes. */
export class AwaitedBody {
  readonly #cutOff: () => void;
  #since: number | undefined;
  #waited = 0;
  #bytes = 0;

  constructor(cutOff: () => void) {
    this.#cutOff = cutOff;
  }

  /** The edge waits for the next part. */
  waits(): void {
    this.#since ??= performance.now();
  }

  /** A part has come. Until the next `waits`, the client may not send more: the origin does not take it. */
  came(bytes: number): void {
    this.#bytes += bytes;
    if (this.#since !== undefined) this.#waited += performance.now() - this.#since;
    this.#since = undefined;
  }

  /** Judges one stretch after another: what came quickly before gives no credit. */
  judge(now: number, { bytesPerSecond, sendingSeconds }: ClientPace): void {
    const since = this.#since ?? now;
    const waited = this.#waited + now - since;
    if (waited < sendingSeconds * 1000) return;
    const isTooSlow = isBelowRate(this.#bytes, { before: 0, since: 0 }, waited, bytesPerSecond);
    this.#waited = 0;
    this.#bytes = 0;
    if (this.#since !== undefined) this.#since = now;
    if (isTooSlow) this.#cutOff();
  }
}

/** Finds clients that send or read more slowly than the lowest rate, so that they keep nobody else out. */
export class SlowClients {
  readonly #pace: ClientPace;
  readonly #bodies = new Set<AwaitedBody>();
  readonly #sockets = new Map<Socket, Stretch | undefined>();
  readonly #timer: NodeJS.Timeout;

  constructor(pace: ClientPace) {
    this.#pace = pace;
    const seconds = Math.min(pace.sendingSeconds, pace.readingSeconds) / 6;
    this.#timer = setInterval(() => this.#judge(performance.now()), seconds * 1000).unref();
  }

  /** Cuts connections of the server off on which answers are read too slowly. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket, undefined);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** A body that is read from now on; `cutOff` is called if it comes too slowly. */
  begin(cutOff: () => void): AwaitedBody {
    const body = new AwaitedBody(cutOff);
    this.#bodies.add(body);
    return body;
  }

  end(body: AwaitedBody): void {
    this.#bodies.delete(body);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #judge(now: number): void {
    for (const body of this.#bodies) body.judge(now, this.#pace);
    const { bytesPerSecond, readingSeconds } = this.#pace;
    const rate = { bytesPerSecond, milliseconds: readingSeconds * 1000 };
    for (const [socket, before] of this.#sockets) {
      const { stretch, isTooSlow } = readingStretch(socket, before, now, rate);
      if (stretch !== before) this.#sockets.set(socket, stretch);
      if (isTooSlow) socket.destroy();
    }
  }
}
