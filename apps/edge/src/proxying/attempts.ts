import type { Duplex } from 'node:stream';
import type { OriginChoice } from '@zonewright/engine';
import { hasBody } from '../framing/ambiguous-framing.ts';
import type { BodySink, Flow, OriginFailure, OriginRequest, Receiver, ResponseHead } from '../origins/exchange.ts';
import { mayTransform } from '../transforming/transformation-of.ts';
import { answer, refuseForShare } from './answers.ts';
import { withoutRange, withStrongTags } from './conditional-requests.ts';
import { originHeader } from './origin-header.ts';
import { isPartOfChanged, relay, type ServedRequest } from './relay.ts';
import { RequestBody } from './request-body.ts';
import { join } from './upgrades.ts';
import { guarded, milliseconds, type ProxyContext } from './visit.ts';

const ignoring: BodySink = { data: () => true, end: () => undefined, broken: () => undefined };
const statuses = { timeout: 504, unreachable: 502 } as const satisfies Record<OriginFailure, number>;
/** RFC 9110 section 9.2.2. */
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
const reading: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);
const maxAttempts = 2;
/** A connection that was kept alive has ended just then: the same server may answer on another one. */
const lost: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Asks an origin for the answer as soon as the zone has a place for that, and once more another one if no byte of it has
 * come.
 */
export function serve(context: ProxyContext, served: ServedRequest): void {
  new Attempts(context, served).begin();
}

/** The attempts to get an answer to one request. */
class Attempts implements Receiver {
  readonly #context: ProxyContext;
  readonly #served: ServedRequest;
  readonly #tried: OriginChoice[] = [];
  readonly #body: RequestBody;
  /** Whether a part of the answer will not do. */
  #asksForWhole: boolean;
  #asked: OriginChoice | undefined;
  #began = 0;
  #leave: () => void = () => undefined;
  #ended: () => void = () => undefined;
  #giveUp: () => void = () => undefined;

  constructor(context: ProxyContext, served: ServedRequest) {
    this.#context = context;
    this.#served = served;
    this.#body = new RequestBody(context, served.visit);
    const { request, response } = served.visit;
    // Its body cannot be sent twice.
    this.#asksForWhole = hasBody(request) && request.method === 'GET';
    response.once('close', () => {
      if (served.visit.entry.status !== 101) this.#leave();
      this.#ended();
      if (!response.writableFinished && served.visit.entry.status !== 101) this.#giveUp();
    });
  }

  begin(): void {
    this.#body.prepare(this.#served.share, () => this.#enter());
  }

  /** Takes a place of the zone, or waits for one. */
  #enter(): void {
    const { visit, share } = this.#served;
    if (visit.response.destroyed) return;
    const kind = visit.upgrade === undefined ? 'originRequests' : 'upgrades';
    const place = share[kind].enter(visit.client.network, {
      entered: () => guarded(visit, () => this.#next()),
      waitedTooLong: () => refuseForShare(visit, 504, 'waiting'),
    });
    if (place === undefined) return refuseForShare(visit, 503, kind);
    this.#leave = place.leave;
    if (place.isInside) this.#next();
  }

  /** Asks the next server. */
  #next(): void {
    const { visit, evaluation, zone } = this.#served;
    const { origin } = evaluation;
    const servers = origin?.servers ?? [];
    const server = this.#context.origins.choose({
      backend: `${zone.document.zone.id} ${origin?.backend}`,
      method: origin?.method,
      servers,
      client: visit.client.address,
      tried: servers.length === 1 ? [] : this.#tried,
    });
    if (server === undefined) return this.#fail(502);
    this.#tried.push(server);
    this.#ask(server);
  }

  #ask(server: OriginChoice): void {
    const { visit, zone } = this.#served;
    this.#asked = server;
    visit.entry.origin = server.originServer;
    visit.entry.attempts += 1;
    this.#ended = this.#context.origins.begin(server);
    this.#began = performance.now();
    this.#giveUp = this.#context.origins.send(zone.document.zone.id, server, this.#requestTo(server), this);
  }

  head(head: ResponseHead, flow: Flow): BodySink {
    const { visit } = this.#served;
    if (!this.#asksForWhole && isPartOfChanged(this.#served, head)) return this.#askForWhole(flow);
    visit.entry.originMilliseconds = milliseconds(this.#began);
    try {
      const sink = relay(this.#served, this.#context.transformers, head, flow);
      return this.#counted(sink);
    } catch {
      // A line that may not be passed on.
      flow.abort();
      this.failed('unreachable', new Error('The head of the answer is invalid.'));
      return ignoring;
    }
  }

  /** Asks the same server once more, for what the client is to get in another form. */
  #askForWhole(flow: Flow): BodySink {
    flow.abort();
    this.#ended();
    this.#asksForWhole = true;
    if (this.#asked !== undefined) this.#ask(this.#asked);
    return ignoring;
  }

  upgraded(head: ResponseHead, socket: Duplex): void {
    const { visit } = this.#served;
    visit.entry.originMilliseconds = milliseconds(this.#began);
    const ended = () => {
      this.#leave();
      this.#ended();
      this.#context.record(visit.entry);
    };
    const { upgradedIdleSeconds: idleSeconds } = this.#context;
    guarded(visit, () => join(this.#served, head, socket, { idleSeconds, ended }));
    if (visit.response.destroyed) socket.destroy();
  }

  failed(failure: OriginFailure, error: NodeJS.ErrnoException): void {
    const { visit } = this.#served;
    this.#ended();
    visit.entry.failure = error.code ?? failure;
    if (visit.response.destroyed) return;
    if (this.#mayRetry(error)) return this.#next();
    this.#fail(statuses[failure]);
  }

  /** No byte of the answer has come, the body of the request is untouched, and there is a server to ask. */
  #mayRetry({ code = '' }: NodeJS.ErrnoException): boolean {
    const { request, entry } = this.#served.visit;
    if (this.#body.isBegun || entry.originMilliseconds !== undefined) return false;
    return idempotent.has(request.method ?? '') && this.#tried.length < this.#maxAttempts(code);
  }

  #maxAttempts(code: string): number {
    const servers = this.#served.evaluation.origin?.servers?.length ?? 0;
    return servers === 1 && lost.has(code) ? maxAttempts : Math.min(servers, maxAttempts);
  }

  #fail(status: number): void {
    answer(this.#served.visit, {
      status,
      page: 'error',
      zone: this.#served.zone,
      lines: ['Cache-Control', 'no-store'],
    });
  }

  #counted(sink: BodySink): BodySink {
    return {
      data: (chunk) => sink.data(chunk),
      end: () => {
        this.#left();
        sink.end();
      },
      broken: () => {
        this.#left();
        sink.broken();
      },
    };
  }

  #requestTo(server: OriginChoice): OriginRequest {
    const { visit, evaluation } = this.#served;
    const { request } = visit;
    return {
      method: request.method ?? '',
      target: evaluation.origin?.target ?? '/',
      headers: this.#conditional(originHeader(visit, server.host, evaluation.origin?.headers, this.#context.loops)),
      body: this.#body.parts(),
      upgrade: visit.upgrade === undefined ? undefined : 'websocket',
      onFreshConnection: this.#tried.length > 1 && this.#tried[0] === server,
    };
  }

  /** The header of a request in which the client may name a form that the edge has made. */
  #conditional(lines: readonly string[]): readonly string[] {
    const { visit, evaluation } = this.#served;
    if (!reading.has(visit.request.method) || !mayTransform(evaluation)) return lines;
    return withStrongTags(this.#asksForWhole ? withoutRange(lines) : lines);
  }

  /** No origin works on the request any more. */
  #left(): void {
    this.#leave();
    this.#ended();
  }
}
