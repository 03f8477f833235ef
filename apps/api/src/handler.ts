import type { ApiError } from '@zonewright/api-description';
import { type Format, mediaTypes } from '@zonewright/api-description';
import type { IdempotencyKeys, StorageSession, UseCases } from '@zonewright/core';
import type { Context } from 'koa';
import { type Err, err, ok, okAsync, type Result, ResultAsync, safeTry } from 'neverthrow';
import { type Admission, chargeWork } from './admission/admission.ts';
import { type Authentication, authenticate } from './admission/authentication.ts';
import { type ForwardedAdmission, forward, type RequestThreads, takesLong } from './admission/forwarding.ts';
import { arrivalOf, inRoom, requireRoom, sendWithin } from './admission/payloads.ts';
import { announce, unlessBlocked, withinRateLimits } from './admission/rate-limiting.ts';
import { auditRejection, type RefusalRecords } from './admission/refusal-records.ts';
import type { TimeSlices } from './admission/time-slices.ts';
import { executeInTurn } from './admission/turns.ts';
import { fingerprintOf, idempotencyKey, isReplayed, onlyOnce } from './execution/idempotency.ts';
import { rereadOf } from './execution/read-again.ts';
import type { Answer } from './http/answer.ts';
import { type Arrival, checkMediaType, hasBody, readBody } from './http/body.ts';
import type { TrustedProxies } from './http/client-address.ts';
import { type Exchange, exchangeOf } from './http/exchange.ts';
import { negotiate } from './http/negotiation.ts';
import { isSafe } from './http/origin.ts';
import { expectedVersions, requireMatch } from './http/preconditions.ts';
import { parametersOf, readQuery } from './http/query.ts';
import { respondRefusal } from './http/refusals.ts';
import { type Rendered, render, type Sendable } from './http/respond.ts';
import type { AnyInput, Route } from './http/route.ts';
import type { Parameter } from './resources/page-links.ts';

/** Dependencies of every route. */
export interface HandlerDependencies extends Admission, Authentication, RefusalRecords {
  /** All routes, because the response to one request may be read again through another. */
  readonly routes: readonly Route[];
  /** The use cases over the storage of a request; over that of the service for requests without a caller. */
  readonly useCasesOn: (storage: StorageSession | undefined) => UseCases;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly slices: TimeSlices;
  readonly trustedProxies: TrustedProxies;
  /** Origins whose pages may use a visitor's cookies: the service's own and those in the configuration. */
  readonly trustedOrigins: ReadonlySet<string>;
  /** Answer what would take too long here; absent where nothing else waits, as on these threads. */
  readonly threads?: RequestThreads | undefined;
  /** On a request thread: what the thread that forwarded the request has done. */
  readonly forwarded?: ForwardedAdmission | undefined;
}

/** Runs a request through its route and responds; audits rejections that matter. */
export async function handle(ctx: Context, route: Route, dependencies: HandlerDependencies): Promise<void> {
  const exchange = exchangeOf(ctx, dependencies);
  if (dependencies.forwarded !== undefined) announce(exchange, dependencies.forwarded.limits);
  // Work that failed, such as a statement that took too long, was work.
  await respond(exchange, route, dependencies).finally(() => chargeWork(exchange, dependencies));
}

async function respond(exchange: Exchange, route: Route, dependencies: HandlerDependencies): Promise<void> {
  const result = await inRoom(exchange, () =>
    safeTry(() => steps(exchange, route, dependencies)).orElse((error) =>
      auditRejection(exchange, route, pathSegments(exchange.ctx), error, dependencies).andThen(() => err(error)),
    ),
  );
  result.match(
    (rendered) => sendWithin(exchange, rendered, dependencies.payloads),
    (error) => respondRefusal(exchange.ctx, error, route),
  );
}

/**
 * The order of checks is part of the interface: credentials, media types, query, existence and permission, body,
 * constraints. Request line and header fields are read first, because they tell what the request is about; their errors
 * count only once the caller is authenticated.
 */
async function* steps(
  exchange: Exchange,
  route: Route,
  dependencies: HandlerDependencies,
): AsyncGenerator<Err<never, ApiError>, Result<Sendable, ApiError>> {
  const head = requestHead(exchange, route);
  const authenticated = yield* authenticate(exchange, route, subjectOf(route, head), dependencies);
  if (authenticated !== undefined && dependencies.forwarded === undefined) {
    yield* requireRoom(exchange, dependencies.payloads, authenticated.caller);
  }
  const { format, key, parameters, query, params } = yield* head;
  const { threads } = dependencies;
  const arrival = arrivalOf(exchange, dependencies.payloads);
  const address = { params: pathSegments(exchange.ctx), parameters };
  if (threads !== undefined && takesLong(exchange.ctx, route)) {
    return forward(exchange, route, address, { threads, isComplete: false, arrival });
  }
  const permission = { params, caller: exchange.caller, useCases: dependencies.useCasesOn(authenticated?.storage) };
  yield* requirePrecondition(exchange, route, permission);
  const body = yield* bodyOf(exchange, route, permission, arrival);
  const { client, credentials, edge } = exchange;
  const input = { ...permission, query, body, expected: expectedVersions(exchange.ctx), credentials, client, edge };
  exchange.target = () => route.target?.(input) ?? okAsync(undefined);
  return executeInTurn(exchange, route, dependencies, () =>
    execute(exchange, route, input, { key, format, parameters }, dependencies),
  ).orElse((error) =>
    threads !== undefined && needsThread.has(error.type)
      ? forward(exchange, route, address, { threads, isComplete: true, arrival })
      : err(error),
  );
}

/** What would take too long here. */
const needsThread: ReadonlySet<ApiError['type']> = new Set(['EvaluationTooLong', 'PageTooLong']);

/** What request line and header fields say. */
interface RequestHead {
  readonly format: Format;
  readonly key: string | undefined;
  /** The query parameters known to the route. */
  readonly parameters: readonly Parameter[];
  readonly query: AnyInput['query'];
  readonly params: unknown;
}

/** Checks request line and header fields, in the order of the interface. */
const requestHead = ({ ctx }: Exchange, route: Route): Result<RequestHead, ApiError> =>
  safeTry(function* () {
    const format = yield* formatOf(ctx, route);
    yield* checkMediaType(ctx, route.consumes);
    const key = yield* idempotencyKey(ctx, route);
    const parameters = yield* parametersOf(route.query, ctx.querystring, {
      isRepeated: route.answers.kind === 'list',
    });
    const query = yield* readQuery(route.query, parameters);
    const params = yield* route.params(pathSegments(ctx));
    return ok({ format, key, parameters, query, params });
  });

/** The router sets this member to the path segments; Koa does not declare it. */
const pathSegments = (ctx: Context) => ctx['params'] as Record<string, string>;

/** Operations without a response body do not negotiate: problem documents are acceptable to every client. */
const formatOf = (ctx: Context, { answers, formats }: Route): Result<Format, ApiError> =>
  answers.kind === 'nothing' || answers.kind === 'redirect'
    ? ok(formats[0] ?? mediaTypes.json)
    : negotiate(ctx, formats);

const subjectOf = (route: Route, head: Result<RequestHead, ApiError>) =>
  head.isOk() ? route.subject?.(head.value) : undefined;

type PermissionInput = Parameters<NonNullable<Route['permitted']>>[0];

/** Whether the caller may make the request at all. */
const mayRequest = ({ permitted }: Route, permission: PermissionInput): ResultAsync<unknown, ApiError> =>
  permitted?.(permission) ?? okAsync();

/** Rejects an unconditional request where a condition is required; those who may not make it get that answer. */
const requirePrecondition = (
  { ctx }: Exchange,
  route: Route,
  permission: PermissionInput,
): ResultAsync<void, ApiError> =>
  route.needsPrecondition && ctx.get('If-Match') === ''
    ? mayRequest(route, permission).andThen(() => err({ type: 'PreconditionRequired' } as const))
    : okAsync();

/** Reads and checks the body; those who may not make the request get that answer for a bad body, too. */
const bodyOf = (
  { ctx }: Exchange,
  route: Route,
  permission: PermissionInput,
  arrival: Arrival,
): ResultAsync<unknown, ApiError> => {
  const { params } = permission;
  if (route.readsBody === 'never') return okAsync(undefined);
  if (route.readsBody === 'optional' && !hasBody(ctx)) {
    return route.checkBody({}, params).asyncAndThen((body) => okAsync(body));
  }
  const { bodyLimit: limit, listLimit, bodyShape: shape } = route;
  const reading = { limit, listLimit, shape, arrival };
  return new ResultAsync(readBody(ctx, reading))
    .andThen((body): Result<unknown, ApiError> => route.checkBody(body, params))
    .orElse((error) => mayRequest(route, permission).andThen(() => err(error)));
};

/** How to respond to a request. */
type ResponsePlan = Pick<RequestHead, 'key' | 'format' | 'parameters'>;

/** Executes a fully checked request: under the limits of its route, and once per idempotency key. */
function execute(
  exchange: Exchange,
  route: Route,
  input: AnyInput,
  plan: ResponsePlan,
  dependencies: HandlerDependencies,
): ResultAsync<Rendered, ApiError> {
  const { failedCredential } = route;
  const limitsOfRoute = async () => (await route.limits?.(input)) ?? [];
  const underOwnLimits = () =>
    ResultAsync.fromSafePromise(limitsOfRoute()).andThen((limits) =>
      withinRateLimits(
        exchange,
        dependencies,
        dependencies.forwarded?.isComplete === true ? [] : limits,
        () => answerOnce(exchange, route, input, plan, dependencies),
        isReplayed,
      ),
    );
  if (failedCredential === undefined) return underOwnLimits();
  const isFailure = (error: ApiError) => failedCredential(error, input);
  return unlessBlocked(exchange, { source: [exchange.client.network], isFailure }, dependencies, underOwnLimits);
}

function answerOnce(
  { ctx }: Exchange,
  route: Route,
  input: AnyInput,
  { key, format, parameters }: ResponsePlan,
  { idempotencyKeys, routes, slices }: HandlerDependencies,
): ResultAsync<Rendered, ApiError> {
  const user = input.caller?.userId ?? input.client.network;
  const work = {
    isPrepared: route.prepare !== undefined,
    prepare: () => route.prepare?.(input) ?? okAsync(input.body),
    answer: (body: unknown) => rendered(ctx, route.answer({ ...input, body }), { format, parameters, slices, user }),
  };
  if (input.caller === undefined || key === undefined) return work.prepare().andThen(work.answer);
  const request = { scope: input.caller.credential.id, key, fingerprint: fingerprintOf(ctx, format) };
  return onlyOnce(idempotencyKeys, request, work, {
    permitted: (shown) => mayRequest(route, { ...input, repeated: { shown } }),
    readingOf: (resource) => rereadOf(routes, resource, { ctx, input, format }),
  });
}

/** Whose turn it is to write a response. */
interface Turn extends Pick<HandlerDependencies, 'slices'> {
  readonly user: string;
}

/** Checks `If-Match` for reads; writes have checked it themselves. */
const rendered = (
  ctx: Context,
  answer: ResultAsync<Answer, ApiError>,
  { format, parameters, slices, user }: Turn & Omit<ResponsePlan, 'key'>,
): ResultAsync<Rendered, ApiError> =>
  answer.andThen((answer): Result<Rendered, ApiError> | ResultAsync<Rendered, ApiError> => {
    const made = () => render(ctx, answer, format, parameters);
    // Writes may hold a transaction open, which must not wait.
    if (!isSafe(ctx.method)) return ok(made());
    const bytes = ({ body = '' }: Rendered) => body.length;
    return requireMatch(ctx, answer.body).asyncAndThen(() =>
      ResultAsync.fromSafePromise(slices.run(user, made, bytes)),
    );
  });
