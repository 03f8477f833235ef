import type { IncomingMessage } from 'node:http';
import { awaitsContinue, hasBody } from '../framing/ambiguous-framing.ts';
import type { AwaitedBody } from '../framing/slow-clients.ts';
import type { ZoneShare } from '../shares/zone-shares.ts';
import { answer } from './answers.ts';
import type { ProxyContext, Visit } from './visit.ts';

/** A shorter body is whole before an origin is asked, so that a slow client keeps none of its connections. */
const maxCollectedBytes = 64 * 1024;

/** The body of a request on its way to an origin. */
export class RequestBody {
  readonly #visit: Visit;
  readonly #pace: ProxyContext['slowClients'];
  #whole: Buffer | undefined;
  #isBegun = false;

  constructor({ slowClients }: Pick<ProxyContext, 'slowClients'>, visit: Visit) {
    this.#visit = visit;
    this.#pace = slowClients;
  }

  /** Whether any of it may have gone to an origin. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Calls back when the body is ready to be sent: a short one of a known length is whole then. */
  prepare({ bytes: share }: ZoneShare, ready: () => void): void {
    const { request, response } = this.#visit;
    const length = lengthOf(request);
    if (length === 0 || length > maxCollectedBytes) return ready();
    response.once('close', () => share.give(length));
    if (!share.take(length)) return ready();
    this.#collect(ready);
  }

  /** The body as it comes. Undefined: there is none. */
  parts(): AsyncGenerator<Buffer> | undefined {
    return hasBody(this.#visit.request) ? this.#parts() : undefined;
  }

  #collect(ready: () => void): void {
    const { request } = this.#visit;
    const parts: Buffer[] = [];
    const awaited = this.#await();
    request.on('data', (part: Buffer) => {
      parts.push(part);
      awaited.came(part.length);
      awaited.waits();
    });
    request.once('end', () => {
      this.#pace.end(awaited);
      this.#whole = Buffer.concat(parts);
      ready();
    });
  }

  /** Leaving off reading it does not cut the client off: it may still get an answer. */
  async *#parts(): AsyncGenerator<Buffer> {
    this.#isBegun = true;
    if (this.#whole !== undefined) return yield this.#whole;
    const awaited = this.#await();
    try {
      // Node declares no type for the parts of a request without an encoding.
      for await (const part of this.#visit.request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        awaited.came(part.length);
        yield part;
        awaited.waits();
      }
    } finally {
      this.#pace.end(awaited);
    }
  }

  /** The client is asked for the body, and has to send it. */
  #await(): AwaitedBody {
    const { request, response } = this.#visit;
    if (awaitsContinue(request)) response.writeContinue();
    const awaited = this.#pace.begin(() => this.#tooSlow());
    response.once('close', () => this.#pace.end(awaited));
    awaited.waits();
    return awaited;
  }

  /** Where the answer has begun, client and origin may talk as slowly as they like. */
  #tooSlow(): void {
    const { entry, response } = this.#visit;
    if (response.headersSent) return;
    entry.failure = 'slowBody';
    answer(this.#visit, { status: 408, close: true });
  }
}

/** Bytes of the body; infinite if the client does not say. */
const lengthOf = (request: IncomingMessage): number =>
  hasBody(request) ? Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) : 0;
