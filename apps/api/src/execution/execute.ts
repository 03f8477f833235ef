import type { ApiError } from '@zonewright/api-description';
import type { IdempotencyKeys } from '@zonewright/core';
import type { Context } from 'koa';
import { ok, okAsync, type Result, ResultAsync } from 'neverthrow';
import type { ForwardedAdmission } from '../admission/forwarding.ts';
import { countFailures, type FailureCounting, withinRateLimits } from '../admission/rate-limiting.ts';
import type { LimitSources } from '../admission/rate-limits.ts';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { isSafe } from '../http/origin.ts';
import { requireMatch } from '../http/preconditions.ts';
import type { RequestHead } from '../http/request-head.ts';
import { type Rendered, render } from '../http/respond.ts';
import type { AnyInput, Route } from '../http/route.ts';
import { fingerprintOf, isReplayed, onlyOnce } from './idempotency.ts';
import { rereadOf } from './read-again.ts';
import type { TimeSlices } from './time-slices.ts';

export interface ExecutionDependencies extends LimitSources, FailureCounting {
  /** All routes, because the response to one request may be read again through another. */
  readonly routes: readonly Route[];
  readonly idempotencyKeys: IdempotencyKeys;
  readonly slices: TimeSlices;
  /** On a request thread: what the thread that forwarded the request has done. */
  readonly forwarded?: ForwardedAdmission | undefined;
}

/** How to respond to a request. */
type ResponsePlan = Pick<RequestHead, 'key' | 'format' | 'parameters'>;

/** Executes a fully checked request: under the limits of its route, and once per idempotency key. */
export function execute(
  exchange: Exchange,
  route: Route,
  input: AnyInput,
  plan: ResponsePlan,
  dependencies: ExecutionDependencies,
): ResultAsync<Rendered, ApiError> {
  const { failedCredential } = route;
  const answer = () => answerOnce(exchange, route, input, plan, dependencies);
  if (!route.isLimited) return answer();
  const underOwnLimits = () =>
    ResultAsync.fromSafePromise(limitsIn(route, input, dependencies)).andThen((limits) =>
      withinRateLimits(exchange, dependencies, limits, answer, isReplayed),
    );
  if (failedCredential === undefined) return underOwnLimits();
  const isFailure = (error: ApiError) => failedCredential(error, input);
  return countFailures(exchange, { source: [exchange.client.network], isFailure }, dependencies, underOwnLimits);
}

const limitsIn = async ({ limits }: Route, input: AnyInput, { forwarded }: ExecutionDependencies) => {
  const own = (await limits?.(input)) ?? [];
  return forwarded?.isComplete === true ? [] : own;
};

function answerOnce(
  exchange: Exchange,
  route: Route,
  input: AnyInput,
  { key, format, parameters }: ResponsePlan,
  { idempotencyKeys, routes, slices, failedCredentials }: ExecutionDependencies,
): ResultAsync<Rendered, ApiError> {
  const { ctx } = exchange;
  const note = ({ issued, points = 0 }: Answer) => {
    exchange.answerPoints = points;
    if (issued !== undefined) failedCredentials.found([exchange.client.network], issued);
  };
  const prepare = () => route.prepare?.(input) ?? okAsync(input.body);
  const user = input.caller?.userId ?? input.client.network;
  const answer = (body: unknown) =>
    route
      .answer(body === input.body ? input : { ...input, body })
      .andTee(note)
      .andThen((answered) => rendered(ctx, answered, { format, parameters, slices, user }));
  if (input.caller === undefined || key === undefined) {
    return route.prepare === undefined ? answer(input.body) : prepare().andThen(answer);
  }
  const request = { scope: input.caller.credential.id, key, fingerprint: fingerprintOf(ctx, format) };
  const work = { isPrepared: route.prepare !== undefined, prepare, answer };
  return onlyOnce(idempotencyKeys, request, work, {
    permitted: (shown) => route.permitted?.({ ...input, repeated: { shown } }) ?? okAsync(),
    readingOf: (resource) => rereadOf(routes, resource, { ctx, input, format }),
  });
}

/** Whose turn it is to write a response. */
interface Turn extends Pick<ExecutionDependencies, 'slices'> {
  readonly user: string;
}

/** Checks `If-Match` for reads; writes have checked it themselves. */
const rendered = (
  ctx: Context,
  answer: Answer,
  { format, parameters, slices, user }: Turn & Omit<ResponsePlan, 'key'>,
): Result<Rendered, ApiError> | ResultAsync<Rendered, ApiError> => {
  const made = () => render(ctx, answer, format, parameters);
  // Writes may hold a transaction open, which must not wait.
  if (!isSafe(ctx.method)) return ok(made());
  return requireMatch(ctx, answer.body).asyncAndThen(() =>
    ResultAsync.fromSafePromise(slices.run(user, made, ({ body = '' }) => body.length)),
  );
};
