import type { Duplex, Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** A request to an origin server. Texts are byte strings. */
export interface OriginRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, `Host` included. */
  readonly headers: readonly string[];
  readonly body: AsyncIterable<Buffer> | undefined;
  /** The protocol to upgrade to. */
  readonly upgrade: 'websocket' | undefined;
  /** Not on a connection that was kept alive: one has just ended. */
  readonly onFreshConnection: boolean;
}

/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[];
}

/** Why no answer came: it took too long, or anything else. Clients cannot tell the causes of the latter apart. */
export type OriginFailure = 'timeout' | 'unreachable';

/** Takes the body of an answer. */
export interface BodySink {
  /** False: no more until the flow is resumed. */
  data(chunk: Buffer): boolean;
  end(): void;
  /** The body is incomplete. */
  broken(): void;
}

/** Control over an answer that is on its way. */
export interface Flow {
  resume(): void;
  abort(): void;
}

/** Takes what comes of a request: exactly one of these is called, except after an abort. */
export interface Receiver {
  head(head: ResponseHead, flow: Flow): BodySink;
  upgraded(head: ResponseHead, socket: Duplex): void;
  failed(failure: OriginFailure, error: Error): void;
}

const latin1 = (headers: unknown): readonly string[] =>
  Array.isArray(headers)
    ? headers.map((each: Buffer | string) => (typeof each === 'string' ? each : each.toString('latin1')))
    : [];

const timeouts: ReadonlySet<string | undefined> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
]);

/**
 * Answers that end with their head (RFC 9112 section 6.3). They may have the length of another one (RFC 9110 section
 * 8.6), for which undici would wait.
 */
const bodiless: ReadonlySet<number> = new Set([204, 304]);

class AbortedError extends Error {}

/** One request and its answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #receiver: Receiver;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: BodySink | undefined;
  #isOver = false;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** Nothing is reported any more. */
  abort(): void {
    this.#isOver = true;
    this.#controller?.abort(new AbortedError());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new AbortedError());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // Interim answers are not passed on.
    if (status < 200 || this.#isOver) return;
    const flow = { resume: () => controller.resume(), abort: () => this.abort() };
    this.#sink = this.#receiver.head({ status, headers: latin1(controller.rawHeaders) }, flow);
    if (bodiless.has(status)) this.#end();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isOver && this.#sink?.data(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#end();
  }

  onRequestUpgrade(controller: Dispatcher.DispatchController, status: number, _: unknown, socket: Duplex): void {
    if (this.#isOver) socket.destroy();
    else this.#receiver.upgraded({ status, headers: latin1(controller.rawHeaders) }, socket);
  }

  onResponseError(_: unknown, error: NodeJS.ErrnoException): void {
    if (this.#isOver) return;
    if (this.#sink === undefined) this.#receiver.failed(timeouts.has(error.code) ? 'timeout' : 'unreachable', error);
    else this.#sink.broken();
  }

  #end(): void {
    if (this.#isOver) return;
    // What is wrong with the connection from now on is no matter of this answer.
    this.#isOver = true;
    this.#sink?.end();
  }
}

/** Sends a request; the returned function gives it up. */
export function send(connections: Dispatcher, request: OriginRequest, receiver: Receiver): () => void {
  const exchange = new Exchange(receiver);
  connections.dispatch(
    {
      method: request.method,
      path: request.target,
      headers: [...request.headers],
      // The declared type lacks iterables, which the documentation of undici allows.
      body: (request.body ?? null) as Readable | null,
      ...(request.upgrade === undefined ? {} : { upgrade: request.upgrade }),
    },
    exchange,
  );
  return () => exchange.abort();
}
