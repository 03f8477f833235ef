import type { ApiError } from '@zonewright/api-description';
import type { StorageSession, UseCases } from '@zonewright/core';
import type { Context } from 'koa';
import { err, okAsync, type Result } from 'neverthrow';
import { type AdmissionDependencies, admit } from './admission/admission.ts';
import { chargeWork } from './admission/budget.ts';
import { forward, type RequestThreads, takesLong } from './admission/forwarding.ts';
import { arrivalOf, inReservedMemory, sendWithin } from './admission/payloads.ts';
import { setRateLimitHeaders } from './admission/rate-limiting.ts';
import { auditRejection, type RefusalRecords } from './admission/refusal-records.ts';
import { executeInTurn } from './admission/shares.ts';
import { type ExecutionDependencies, execute } from './execution/execute.ts';
import { permittedBody } from './execution/permitted-body.ts';
import type { TrustedProxies } from './http/client-address.ts';
import { type Exchange, exchangeOf } from './http/exchange.ts';
import { expectedVersions } from './http/preconditions.ts';
import { respondRefusal } from './http/refusals.ts';
import { pathSegments, requestHead } from './http/request-head.ts';
import type { Sendable } from './http/respond.ts';
import type { AnyInput, Route } from './http/route.ts';

/** Dependencies of every route. */
export interface HandlerDependencies extends AdmissionDependencies, ExecutionDependencies, RefusalRecords {
  /** The use cases over the storage of a request; over that of the service for requests without a caller. */
  readonly useCasesOn: (storage: StorageSession | undefined) => UseCases;
  readonly trustedProxies: TrustedProxies;
  /** Origins whose pages may use a visitor's cookies: the service's own and those in the configuration. */
  readonly trustedOrigins: ReadonlySet<string>;
  /** Answer what would take too long here; absent where nothing else waits, as on these threads. */
  readonly threads?: RequestThreads | undefined;
}

/** Runs a request through its route and responds; audits rejections that matter. */
export async function handle(ctx: Context, route: Route, dependencies: HandlerDependencies): Promise<void> {
  const exchange = exchangeOf(ctx, dependencies);
  if (dependencies.forwarded !== undefined) setRateLimitHeaders(exchange, dependencies.forwarded.limits);
  try {
    const result = await inReservedMemory(exchange, async () => {
      const answer = await answerTo(exchange, route, dependencies);
      if (answer.isErr()) await auditRejection(exchange, route, pathSegments(ctx), answer.error, dependencies);
      return answer;
    });
    if (result.isOk()) sendWithin(exchange, result.value, dependencies.payloads);
    else respondRefusal(ctx, result.error, route);
  } finally {
    // Work that failed, such as a statement that took too long, was work.
    chargeWork(exchange, dependencies);
  }
}

/**
 * Head, admission, body, execution. The order of checks is part of the interface: credentials, media types, query,
 * existence and permission, body, constraints. Request line and header fields are read first, because they tell what the
 * request is about; their errors count only once the caller is admitted.
 */
async function answerTo(
  exchange: Exchange,
  route: Route,
  dependencies: HandlerDependencies,
): Promise<Result<Sendable, ApiError>> {
  const { ctx } = exchange;
  const head = requestHead(ctx, route);
  exchange.subject = head.map((known) => route.subject?.(known)).unwrapOr(undefined);

  const admitted = await admit(exchange, route, dependencies);
  if (admitted.isErr()) return err(admitted.error);
  if (head.isErr()) return err(head.error);

  const { params, parameters, query } = head.value;
  const { threads } = dependencies;
  const arrival = arrivalOf(exchange, dependencies.payloads);
  const forwarding = { address: { params: pathSegments(ctx), parameters }, arrival };
  if (threads !== undefined && takesLong(ctx, route)) {
    return forward(exchange, route, { ...forwarding, threads, isComplete: false });
  }

  const permission = { params, caller: exchange.caller, useCases: dependencies.useCasesOn(exchange.storage) };
  const body = await permittedBody(ctx, route, permission, arrival);
  if (body.isErr()) return err(body.error);

  const { client, credentials, edge } = exchange;
  const expected = expectedVersions(ctx);
  const input: AnyInput = { ...permission, query, body: body.value, expected, credentials, client, edge };
  exchange.target = () => route.target?.(input) ?? okAsync(undefined);
  const result = await executeInTurn(exchange, route, dependencies, () =>
    execute(exchange, route, input, head.value, dependencies),
  );
  if (result.isOk() || threads === undefined || !needsThread.has(result.error.type)) return result;
  return forward(exchange, route, { ...forwarding, threads, isComplete: true });
}

/** What would take too long here. */
const needsThread: ReadonlySet<ApiError['type']> = new Set(['EvaluationTooLong', 'PageTooLong']);
