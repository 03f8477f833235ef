import type { Caller, IdempotencyKeys, RecordRefusal, UserId } from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, okAsync, type Result, ResultAsync, safeTry } from 'neverthrow';
import { refusalAction } from '../errors/audited-refusals.ts';
import type { ApiError } from '../errors/problems.ts';
import { countingFailures } from '../limits/failed-credentials.ts';
import { type LimitDependencies, withinRateLimits } from '../limits/limited-work.ts';
import type { PayloadBudget } from '../limits/payload-budget.ts';
import { requireRoom, reserveBody } from '../limits/payloads.ts';
import { limitsOf } from '../limits/rate-limits.ts';
import type { Parameter } from '../resources/page-links.ts';
import { type Answer } from './answer.ts';
import { type Authentication, authenticateRead, authenticateRequest, callerIn } from './authentication.ts';
import { checkMediaType, hasBody, readBody } from './body.ts';
import { clientNetwork, type TrustedProxies } from './client-address.ts';
import { RequestCredentials } from './credentials.ts';
import { fingerprintOf, idempotencyKey, isReplayed, onlyOnce } from './idempotency.ts';
import { type Format, mediaTypes, negotiate } from './negotiation.ts';
import { isSafe } from './origin.ts';
import { expectedVersions, requireMatch } from './preconditions.ts';
import { parametersOf, readQuery } from './query.ts';
import { rereadOf } from './read-again.ts';
import { type Rendered, render } from './respond.ts';
import { type Route } from './route.ts';
import { type HttpClient, idsIn } from './route-row.ts';

/** Dependencies of every route. */
export interface HandlerDependencies extends LimitDependencies, Authentication {
  /** All routes, because the response to one request may be read again through another. */
  readonly routes: readonly Route[];
  readonly idempotencyKeys: IdempotencyKeys;
  readonly recordRefusal: RecordRefusal;
  readonly payloads: PayloadBudget;
  readonly trustedProxies: TrustedProxies;
  /** Origins whose pages may use a visitor's cookies: the service's own and those in the configuration. */
  readonly trustedOrigins: ReadonlySet<string>;
}

/** Runs a request through its route, and audits rejections that matter. */
export function handle(ctx: Context, route: Route, dependencies: HandlerDependencies): ResultAsync<Rendered, ApiError> {
  const client = clientOf(ctx, dependencies);
  return answerTo(ctx, route, client, dependencies).orElse((error) =>
    auditRejection(ctx, route, client, error, dependencies).andThen(() => err(error)),
  );
}

/**
 * Anyone can be rejected for lack of points or of a caller again and again, so only the first time per network, route
 * and window is audited.
 */
const recordLimit = { name: 'refusal-record', points: 1, seconds: 15 * 60 } as const;

const auditRejection = (
  ctx: Context,
  { path, params }: Route,
  client: HttpClient,
  error: ApiError,
  { limiter, recordRefusal }: HandlerDependencies,
): ResultAsync<void, never> => {
  const caller = callerIn(ctx);
  const action = refusalAction(error, caller);
  if (action === undefined) return okAsync();
  const objects = { route: path, ...idsIn(params, pathParameters(ctx)) };
  if (caller !== undefined && error.type !== 'TooManyRequests') return recordRefusal(caller, client, action, objects);
  const budget = { ...recordLimit, parts: [client.network, path, action] };
  return ResultAsync.fromSafePromise(limiter.take([budget])).andThen(([status]) =>
    status?.isExceeded === false
      ? targetOf(ctx).andThen((account) => recordRefusal(caller ?? account, client, action, objects))
      : okAsync(),
  );
};

/** The router sets this member to the path segments; Koa does not declare it. */
const pathParameters = (ctx: Context) => ctx['params'] as Record<string, string>;

/** The account that an unauthenticated request targets, if it exists. */
const targetOf = (ctx: Context): ResultAsync<UserId | undefined, never> =>
  // Set in `answerInSteps`.
  (ctx.state['target'] as (() => ResultAsync<UserId | undefined, never>) | undefined)?.() ?? okAsync(undefined);

/**
 * The order of checks is part of the interface: credentials, media types, query, existence and permission, body,
 * constraints.
 */
const answerTo = (
  ctx: Context,
  route: Route,
  client: HttpClient,
  dependencies: HandlerDependencies,
): ResultAsync<Rendered, ApiError> => {
  const credentials = new RequestCredentials(ctx, dependencies.trustedOrigins);
  const { answerBy } = route;
  // Errors are returned only once the caller is authenticated.
  const parsed = parsedRequest(ctx, route);
  return answerBy !== undefined && parsed.isOk()
    ? readBy(ctx, parsed.value, { answerBy, credentials, client }, dependencies)
    : safeTry(() => answerInSteps(ctx, { route, credentials, client, parsed }, dependencies));
};

/** What is known of a request before authentication. */
interface Received extends Pick<Checked, 'credentials' | 'client'> {
  readonly route: Route;
  readonly parsed: ReturnType<typeof parsedRequest>;
}

async function* answerInSteps(
  ctx: Context,
  { route, credentials, client, parsed }: Received,
  dependencies: HandlerDependencies,
) {
  const zone = parsed.isOk() ? route.changedZone(parsed.value.params) : undefined;
  const caller = yield* authenticateRequest(ctx, { route, credentials, client, zone }, dependencies);
  if (caller !== undefined) yield* admit(ctx, caller, dependencies);
  const { format, key, parameters, query, params } = yield* parsed;
  if (route.needsPrecondition && ctx.get('If-Match') === '') {
    yield* route.permitted(caller, params);
    return err({ type: 'PreconditionRequired' } as const);
  }
  yield* reserveBody(ctx, dependencies.payloads, route, caller);
  const body = yield* bodyOf(ctx, route, caller, params);
  const expected = expectedVersions(ctx);
  const input = { caller, params, query, body, expected, credentials, client };
  // For audit records of rejections; the target is only known from the body.
  ctx.state['target'] = () => route.target(input);
  return execute(ctx, route, input, { key, format, parameters }, dependencies);
}

/** Operations without a response body do not negotiate: problem documents are acceptable to every client. */
const formatOf = (ctx: Context, { answers, formats }: Route): Result<Format, ApiError> =>
  answers.kind === 'nothing' ? ok(formats[0] ?? mediaTypes.json) : negotiate(ctx, formats);

/** Checks request line and header fields, in the order of the interface. */
const parsedRequest = (ctx: Context, route: Route) => safeTry(() => parsedParts(ctx, route));

function* parsedParts(ctx: Context, route: Route) {
  const format = yield* formatOf(ctx, route);
  yield* checkMediaType(ctx, route.consumes);
  const key = yield* idempotencyKey(ctx, route);
  const parameters = yield* parametersOf(route.query, ctx.querystring, {
    isRepeated: route.answers.kind === 'list',
  });
  const query = yield* readQuery(route.query, parameters);
  const params = yield* route.params(pathParameters(ctx));
  return ok({ format, key, parameters, query, params });
}

/**
 * A read that authenticates the caller in the same statement. Everything checked earlier has passed, and its own errors
 * would follow authentication anyway, so the order of errors stays the same.
 */
const readBy = (
  ctx: Context,
  {
    format,
    parameters,
    query,
    params,
  }: Pick<Checked, 'query' | 'params'> & Pick<ResponsePlan, 'format' | 'parameters'>,
  {
    answerBy,
    credentials,
    client,
  }: Pick<Checked, 'credentials' | 'client'> & { readonly answerBy: NonNullable<Route['answerBy']> },
  dependencies: HandlerDependencies,
): ResultAsync<Rendered, ApiError> =>
  authenticateRead(ctx, { credentials, client }, dependencies, (credential) =>
    answerBy(credential, { query, params, client }),
  )
    .andThrough(({ caller }) => admit(ctx, caller, dependencies))
    .andThen(({ answer }) => rendered(ctx, answer(), { format, parameters }));

/** Rejects callers without points, or with too many unread responses. */
const admit = (ctx: Context, caller: Caller, dependencies: HandlerDependencies): ResultAsync<void, ApiError> =>
  withinRateLimits(ctx, dependencies, limitsOf.authenticated(caller), () => okAsync(undefined)).andThen(() =>
    requireRoom(dependencies.payloads, caller),
  );

type Checked = Parameters<Route['answer']>[0];

/** How to respond to a request. */
interface ResponsePlan {
  readonly key: string | undefined;
  readonly format: Format;
  /** The query parameters known to the route. */
  readonly parameters: readonly Parameter[];
}

/** Checks `If-Match` for reads; writes have checked it themselves. */
const rendered = (
  ctx: Context,
  answer: ResultAsync<Answer, ApiError>,
  { format, parameters }: Omit<ResponsePlan, 'key'>,
): ResultAsync<Rendered, ApiError> =>
  answer.andThen((answer) =>
    (isSafe(ctx.method) ? requireMatch(ctx, answer.body) : ok()).map(() => render(ctx, answer, format, parameters)),
  );

/** Executes a fully checked request: under the limits of its route, and once per idempotency key. */
const execute = (
  ctx: Context,
  route: Route,
  input: Checked,
  { key, format, parameters }: ResponsePlan,
  dependencies: HandlerDependencies,
): ResultAsync<Rendered, ApiError> => {
  const { caller, params, client } = input;
  const work = {
    isPrepared: route.isPrepared,
    prepare: () => route.prepare(input),
    answer: (body: unknown) => rendered(ctx, route.answer({ ...input, body }), { format, parameters }),
  };
  const answerOnce = () => {
    if (caller === undefined || key === undefined) return work.prepare().andThen(work.answer);
    const request = { scope: caller.credential.id, key, fingerprint: fingerprintOf(ctx, format) };
    return onlyOnce(dependencies.idempotencyKeys, request, work, {
      permitted: () => route.permitted(caller, params),
      readingOf: (resource) => rereadOf(dependencies.routes, resource, { ctx, input, format }),
    });
  };
  const isFailure = (error: ApiError) => route.isFailedCredential(error, input);
  const counted = { failures: dependencies.failedCredentials, source: [client.network], isFailure };
  const underOwnLimits = () =>
    ResultAsync.fromSafePromise(route.limits(input)).andThen((limits) =>
      withinRateLimits(ctx, dependencies, limits, answerOnce, isReplayed),
    );
  return route.takesCredential ? countingFailures(ctx, counted, underOwnLimits) : underOwnLimits();
};

const clientOf = (ctx: Context, { trustedProxies }: HandlerDependencies): HttpClient => ({
  network: clientNetwork(ctx.req, trustedProxies),
  userAgent: ctx.get('User-Agent').slice(0, 200) || undefined,
});

const bodyOf = (
  ctx: Context,
  route: Route,
  caller: Caller | undefined,
  params: unknown,
): ResultAsync<unknown, ApiError> => {
  if (route.readsBody === 'never') return okAsync(undefined);
  if (route.readsBody === 'optional' && !hasBody(ctx)) {
    return route.checkBody({}, params).asyncAndThen((body) => okAsync(body));
  }
  return new ResultAsync(readBody(ctx, route.bodyLimit, route.bodyShape))
    .andThen((body): Result<unknown, ApiError> => route.checkBody(body, params))
    .orElse((error) => route.permitted(caller, params).andThen(() => err(error)));
};
