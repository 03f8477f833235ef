import type { Caller, IdempotencyKeys, RecordRefusal, UserId } from '@zonewright/core';
import type { Context } from 'koa';
import { err, ok, okAsync, type Result, ResultAsync, safeTry } from 'neverthrow';
import { refusalAction } from '../errors/audited-refusals.ts';
import type { ApiError } from '../errors/problems.ts';
import { countingFailures } from '../limits/failed-credentials.ts';
import { type LimitDependencies, underLimits } from '../limits/limited-work.ts';
import type { PayloadBudget } from '../limits/payload-budget.ts';
import { requireRoom, reserveBody } from '../limits/payloads.ts';
import { limitsOf } from '../limits/rate-limits.ts';
import { type Answer } from './answer.ts';
import { checkMediaType, hasBody, readBody } from './body.ts';
import { clientNetwork, type TrustedProxies } from './client-address.ts';
import { RequestCredentials } from './credentials.ts';
import { fingerprintOf, idempotencyKey, isReplayed, onlyOnce } from './idempotency.ts';
import { type Format, mediaTypes, negotiate } from './negotiation.ts';
import { isSafe } from './origin.ts';
import { expectedVersions, requireMatch } from './preconditions.ts';
import { type Parameter, parametersOf, readQuery } from './query.ts';
import { readingOf } from './read-again.ts';
import { callerIn, type Recognition, recognize, recognizeBy } from './recognize.ts';
import { type Rendered, render } from './respond.ts';
import { type Route } from './route.ts';
import { type HttpClient, idsIn } from './route-row.ts';

/** What every route needs, whatever it does. */
export interface HandlerDependencies extends LimitDependencies, Recognition {
  /** All there are: the answer to one request may be what another one reads. */
  readonly routes: readonly Route[];
  readonly idempotencyKeys: IdempotencyKeys;
  readonly recordRefusal: RecordRefusal;
  readonly payloads: PayloadBudget;
  readonly trustedProxies: TrustedProxies;
  /** Origins whose pages may use a visitor's cookies: the service's own, and those listed in the configuration. */
  readonly trustedOrigins: ReadonlySet<string>;
}

/** Takes one request through its route, and puts refusals that matter on record. */
export function handle(ctx: Context, route: Route, dependencies: HandlerDependencies): ResultAsync<Rendered, ApiError> {
  const client = clientOf(ctx, dependencies);
  return answerTo(ctx, route, client, dependencies).orElse((error) =>
    putOnRecord(ctx, route, client, error, dependencies).andThen(() => err(error)),
  );
}

/**
 * Of refusals that anybody can cause without end, for want of points or of a caller, the first is an event and the
 * thousand that follow are not: one a network, route and window.
 */
const recordLimit = { name: 'refusal-record', points: 1, seconds: 15 * 60 } as const;

const putOnRecord = (
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
  return ResultAsync.fromSafePromise(limiter.take([budget])).andThen(([standing]) =>
    standing?.isExceeded === false
      ? targetOf(ctx).andThen((account) => recordRefusal(caller ?? account, client, action, objects))
      : okAsync(),
  );
};

/** The router fills this member with the texts of the segments, and Koa does not know its type. */
const pathParameters = (ctx: Context) => ctx['params'] as Record<string, string>;

/** The account that an attempt without a caller was aimed at; it is looked for whether or not there is one. */
const targetOf = (ctx: Context): ResultAsync<UserId | undefined, never> =>
  // The handler below sets it.
  (ctx.state['target'] as (() => ResultAsync<UserId | undefined, never>) | undefined)?.() ?? okAsync(undefined);

/**
 * The order of the checks is part of the interface: credentials, media types, query, existence and permission, body,
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
  // Refused only once the caller is recognized.
  const asked = askedFor(ctx, route);
  return answerBy !== undefined && asked.isOk()
    ? readBy(ctx, asked.value, { answerBy, credentials, client }, dependencies)
    : safeTry(() => answerInSteps(ctx, { route, credentials, client, asked }, dependencies));
};

/** What of a request is known before it is known who asks. */
interface Received extends Pick<Checked, 'credentials' | 'client'> {
  readonly route: Route;
  readonly asked: ReturnType<typeof askedFor>;
}

async function* answerInSteps(
  ctx: Context,
  { route, credentials, client, asked }: Received,
  dependencies: HandlerDependencies,
) {
  const zone = asked.isOk() ? route.changedZone(asked.value.params) : undefined;
  const caller = yield* recognize(ctx, { route, credentials, client, zone }, dependencies);
  if (caller !== undefined) yield* admit(ctx, caller, dependencies);
  const { format, key, parameters, query, params } = yield* asked;
  if (route.needsPrecondition && ctx.get('If-Match') === '') {
    yield* route.permitted(caller, params);
    return err({ type: 'PreconditionRequired' } as const);
  }
  yield* reserveBody(ctx, dependencies.payloads, route, caller);
  const body = yield* bodyOf(ctx, route, caller, params);
  const expected = expectedVersions(ctx);
  const input = { caller, params, query, body, expected, credentials, client };
  // For those who write down refusals; only the content of a body shows it.
  ctx.state['target'] = () => route.target(input);
  return carryOut(ctx, route, input, { key, format, parameters }, dependencies);
}

/** Where success has no body there is nothing to choose: problems are written for everybody. */
const formatOf = (ctx: Context, { answers, formats }: Route): Result<Format, ApiError> =>
  answers.kind === 'nothing' ? ok(formats[0] ?? mediaTypes.json) : negotiate(ctx, formats);

/** What the request line and the header fields ask for, checked in the order of the interface. */
const askedFor = (ctx: Context, route: Route) => safeTry(() => partsAskedFor(ctx, route));

function* partsAskedFor(ctx: Context, route: Route) {
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
 * A read whose statement recognizes the caller. Everything that could be refused before it has been checked by now; what
 * is refused there is refused after the caller is recognized by itself, so the order of refusals is the same.
 */
const readBy = (
  ctx: Context,
  { format, parameters, query, params }: Pick<Checked, 'query' | 'params'> & Pick<Wanted, 'format' | 'parameters'>,
  {
    answerBy,
    credentials,
    client,
  }: Pick<Checked, 'credentials' | 'client'> & { readonly answerBy: NonNullable<Route['answerBy']> },
  dependencies: HandlerDependencies,
): ResultAsync<Rendered, ApiError> =>
  recognizeBy(ctx, { credentials, client }, dependencies, (credential) =>
    answerBy(credential, { query, params, client }),
  )
    .andThrough(({ caller }) => admit(ctx, caller, dependencies))
    .andThen(({ answer }) => rendered(ctx, answer(), { format, parameters }));

/** Whether the caller has points left, and reads what was answered before. */
const admit = (ctx: Context, caller: Caller, dependencies: HandlerDependencies): ResultAsync<void, ApiError> =>
  underLimits(ctx, dependencies, limitsOf.authenticated(caller), () => okAsync(undefined)).andThen(() =>
    requireRoom(dependencies.payloads, caller),
  );

type Checked = Parameters<Route['answer']>[0];

/** How a request is to be answered. */
interface Wanted {
  readonly key: string | undefined;
  readonly format: Format;
  /** Those of its query that the route knows. */
  readonly parameters: readonly Parameter[];
}

/** A read may say which state it wants; changes have looked at that themselves. */
const rendered = (
  ctx: Context,
  answer: ResultAsync<Answer, ApiError>,
  { format, parameters }: Omit<Wanted, 'key'>,
): ResultAsync<Rendered, ApiError> =>
  answer
    .andThrough((given) => (isSafe(ctx.method) ? requireMatch(ctx, given.body) : ok()))
    .map((given) => render(ctx, given, format, parameters));

/** Runs a request whose every part is checked: under the limits of its route, and once under an idempotency key. */
const carryOut = (
  ctx: Context,
  route: Route,
  input: Checked,
  { key, format, parameters }: Wanted,
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
      readingOf: (resource) => readingOf(dependencies.routes, resource, { ctx, input, format }),
    });
  };
  const isFailure = (error: ApiError) => route.isFailedCredential(error, input);
  const counted = { failures: dependencies.failedCredentials, source: [client.network], isFailure };
  const underOwnLimits = () =>
    ResultAsync.fromSafePromise(route.limits(input)).andThen((asked) =>
      underLimits(ctx, dependencies, asked, answerOnce, isReplayed),
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
