import type { Authenticate, Caller } from '@zonewright/core';
import { unauthenticated } from '@zonewright/core';
import type { Context } from 'koa';
import { err, errAsync, ok, okAsync, type Result, ResultAsync, safeTry } from 'neverthrow';
import { checkMediaType, hasBody, readBody } from './body.ts';
import { RequestCredentials } from './credentials.ts';
import { expectedVersions } from './entity-tag.ts';
import { type Format, negotiate } from './negotiation.ts';
import type { ApiError } from './problem.ts';
import { readQuery } from './query.ts';
import type { Answer, Route } from './route.ts';

export interface HandlerDependencies {
  readonly authenticate: Authenticate;
  /** Origins whose pages may use a visitor's cookies: the service's own, and those listed in the configuration. */
  readonly trustedOrigins: ReadonlySet<string>;
}

/**
 * Takes one request through its route. The order of the checks is part of the interface: credentials, media types,
 * query, existence and permission, body, constraints.
 */
export const handle = (
  ctx: Context,
  route: Route,
  dependencies: HandlerDependencies,
): ResultAsync<{ readonly answer: Answer; readonly format: Format }, ApiError> =>
  safeTry(async function* () {
    const credentials = new RequestCredentials(ctx, dependencies.trustedOrigins);
    const caller = route.access === 'public' ? undefined : yield* callerOf(credentials, dependencies);
    const format = yield* negotiate(ctx, route.formats);
    yield* checkMediaType(ctx, route.consumes);
    const query = yield* readQuery(route.query, ctx.querystring);
    const params = yield* route.params(ctx['params'] as Record<string, string>);
    const body = yield* bodyOf(ctx, route, caller, params);
    const expected = expectedVersions(ctx.get('If-Match'));
    const userAgent = ctx.get('User-Agent').slice(0, 200) || undefined;
    const answer = yield* route.answer({ caller, params, query, body, expected, credentials, userAgent });
    return ok({ answer, format });
  });

const callerOf = (
  credentials: RequestCredentials,
  { authenticate }: HandlerDependencies,
): ResultAsync<Caller, ApiError> =>
  credentials
    .presented()
    .asyncAndThen(
      (credential): ResultAsync<Caller, ApiError> =>
        credential.kind === 'access token' ? authenticate(credential.token) : errAsync(unauthenticated()),
    );

const bodyOf = (
  ctx: Context,
  route: Route,
  caller: Caller | undefined,
  params: unknown,
): ResultAsync<unknown, ApiError> => {
  if (route.readsBody === 'never') return okAsync(undefined);
  if (route.readsBody === 'optional' && !hasBody(ctx))
    return route.checkBody({}, params).asyncAndThen((body) => okAsync(body));
  return new ResultAsync(readBody(ctx, route.bodyLimit))
    .andThen((body): Result<unknown, ApiError> => route.checkBody(body, params))
    .orElse((error) => route.permitted(caller, params).andThen(() => err(error)));
};
