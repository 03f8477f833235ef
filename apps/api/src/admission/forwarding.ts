import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ApiError } from '@zonewright/api-description';
import { type ComputationLost, type HttpError, payloadsUnread, type ThreadsBusy } from '@zonewright/api-description';
import type { RateLimitName } from '@zonewright/configuration';
import type { LimitStatus, UserId } from '@zonewright/core';
import type { Context } from 'koa';
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from 'neverthrow';
import { type Arrival, hasBody } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Sendable } from '../http/respond.ts';
import type { Route } from '../http/route.ts';
import { reportOf } from '../observability/request-report.ts';
import type { Parameter } from '../resources/page-links.ts';

/** A request as a request thread gets it: what arrived, and what has been found out about it. */
export interface ForwardedRequest {
  readonly route: Pick<Route, 'method' | 'path'>;
  readonly params: Readonly<Record<string, string>>;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly headersDistinct: NodeJS.Dict<string[]>;
  readonly remoteAddress: string | undefined;
  /** At most one byte more than the route takes; absent if the request has none, or announces too many. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly requestId: string;
  readonly admission: ForwardedAdmission;
}

/** The limits under which a forwarded request has been admitted. */
export interface ForwardedAdmission {
  /** Those reported so far. */
  readonly limits: readonly LimitStatus[];
  /** Whether those of the route are among them. */
  readonly isComplete: boolean;
}

/** A response from a request thread. */
export interface ForwardedReply extends Pick<Sendable, 'status' | 'headers' | 'cookies'> {
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly exceededLimits: readonly RateLimitName[];
  /** How long the thread has worked, database included. */
  readonly milliseconds: number;
}

/** A request to answer on a request thread. */
export interface ThreadQuestion {
  readonly user: UserId;
  readonly request: ForwardedRequest;
  /** Names the computation; the same for every user. */
  readonly digest: string;
  /** Whether the client has gone: nobody would read the response. */
  readonly isAbandoned: () => boolean;
}

/** Answers requests on threads of their own. */
export interface RequestThreads {
  answer(question: ThreadQuestion): ResultAsync<ForwardedReply, ThreadsBusy | ComputationLost>;
}

/** Deciding on a rule of this size, which may be a list of addresses, takes a few milliseconds. */
const shortBodyBytes = 4 * 1024;

/** Whether a request belongs on a request thread from the start. */
export const takesLong = (ctx: Context, { cost }: Pick<Route, 'cost'>): boolean =>
  cost === 'computed' || (cost === 'stored' && announcedBytes(ctx) > shortBodyBytes);

/** Unlimited if the client does not know it either. */
const announcedBytes = (ctx: Context): number =>
  hasBody(ctx) && ctx.get('Content-Length') === '' ? Number.POSITIVE_INFINITY : Number(ctx.get('Content-Length'));

/** The parts of a request's address that its route knows. */
interface Address {
  readonly params: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
}

/** How a request is forwarded. */
interface Forwarding {
  readonly address: Address;
  readonly threads: RequestThreads;
  /** Whether it has passed the limits of its route. */
  readonly isComplete: boolean;
  readonly arrival: Arrival;
}

/** Answers the request of an authenticated and admitted caller on a request thread. */
export function forward(
  exchange: Exchange,
  route: Route,
  { address, threads, isComplete, arrival }: Forwarding,
): ResultAsync<Sendable, ApiError> {
  const { ctx, caller, limits } = exchange;
  if (caller === undefined) return errAsync({ type: 'Unauthenticated' });
  return bodyOf(ctx, route, arrival)
    .andThen((body) => {
      exchange.forwardedBytes = body?.length ?? 0;
      return threads.answer({
        user: caller.userId,
        request: forwarded(exchange, route, address, { body, admission: { limits, isComplete } }),
        digest: digestOf(exchange, route, address, body),
        isAbandoned: () => ctx.req.socket.destroyed,
      });
    })
    .map(({ exceededLimits, milliseconds, body, ...reply }) => {
      exchange.threadMilliseconds += milliseconds;
      reportOf(ctx).exceededLimits = exceededLimits;
      return body === undefined ? reply : { ...reply, body: Buffer.from(body.buffer, body.byteOffset, body.length) };
    });
}

function forwarded(
  { ctx }: Exchange,
  { method, path }: Route,
  { params }: Address,
  { body, admission }: Pick<ForwardedRequest, 'body' | 'admission'>,
): ForwardedRequest {
  const { headers, headersDistinct, socket } = ctx.req;
  return {
    route: { method, path },
    params,
    method: ctx.method,
    url: ctx.url,
    // What has been read is complete, whatever framed or encoded it.
    headers: body === undefined ? headers : { ...headers, 'content-length': String(body.length) },
    headersDistinct,
    remoteAddress: socket.remoteAddress,
    body,
    requestId: reportOf(ctx).id,
    admission,
  };
}

/** Parameters that the route does not know make no other computation. */
const digestOf = (
  { ctx }: Exchange,
  { path }: Route,
  { params, parameters }: Address,
  body: Uint8Array | undefined,
): string =>
  createHash('sha256')
    .update(JSON.stringify([ctx.method, path, params, parameters]))
    .update(body ?? '')
    .digest('base64');

/** The bytes of the body: as parsed before, or as many as show that there are too many. */
function bodyOf(
  ctx: Context,
  { readsBody, bodyLimit }: Route,
  arrival: Arrival,
): ResultAsync<ForwardedRequest['body'], HttpError> {
  const { rawBody } = ctx.request;
  if (typeof rawBody === 'string') return okAsync(new TextEncoder().encode(rawBody));
  if (readsBody === 'never' || !hasBody(ctx) || Number(ctx.get('Content-Length')) > bodyLimit.bytes)
    return okAsync(undefined);
  return ResultAsync.fromPromise(
    firstBytes(ctx.req, bodyLimit.bytes + 1, arrival),
    (): HttpError => ({
      type: 'MalformedBody',
      reason: 'The body is incomplete.',
    }),
  ).andThen((body): Result<ForwardedRequest['body'], HttpError> => {
    if (body !== undefined) return ok(body);
    // The rest is not read.
    ctx.set('Connection', 'close');
    return err(payloadsUnread());
  });
}

/** Undefined if there is no memory for what arrives; rejects if the client goes away. */
async function firstBytes(
  message: IncomingMessage,
  most: number,
  arrival: Arrival,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Ending the iteration early must not end the connection, which the response needs.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    // Without an encoding, every chunk is a buffer.
    const bytes = chunk as Buffer;
    if (!arrival(bytes.length)) return undefined;
    chunks.push(bytes);
    length += bytes.length;
    if (length >= most) break;
  }
  // A copy, because the memory of chunks may be shared and is transferred to the thread.
  return new Uint8Array(Buffer.concat(chunks, Math.min(length, most)));
}
