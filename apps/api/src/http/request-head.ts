import { type ApiError, type Format, mediaTypes } from '@zonewright/api-description';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import type { Parameter } from '../resources/page-links.ts';
import { checkMediaType } from './body.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { negotiate } from './negotiation.ts';
import { parametersOf, readQuery } from './query.ts';
import type { AnyInput, Route } from './route.ts';

/** What request line and header fields say. */
export interface RequestHead {
  readonly format: Format;
  readonly key: string | undefined;
  /** The query parameters known to the route. */
  readonly parameters: readonly Parameter[];
  readonly query: AnyInput['query'];
  readonly params: unknown;
}

/** Checks request line and header fields, in the order of the interface. */
export function requestHead(ctx: Context, route: Route): Result<RequestHead, ApiError> {
  const format = formatOf(ctx, route);
  if (format.isErr()) return err(format.error);
  const mediaType = checkMediaType(ctx, route.consumes);
  if (mediaType.isErr()) return err(mediaType.error);
  const key = idempotencyKey(ctx, route);
  if (key.isErr()) return err(key.error);
  return parametersOf(route.query, ctx.querystring, { isRepeated: route.answers.kind === 'list' }).andThen(
    (parameters) =>
      readQuery(route.query, parameters).andThen((query) =>
        route
          .params(pathSegments(ctx))
          .map((params) => ({ format: format.value, key: key.value, parameters, query, params })),
      ),
  );
}

/** The router sets this member to the path segments; Koa does not declare it. */
export const pathSegments = (ctx: Context) => ctx['params'] as Record<string, string>;

/** Operations without a response body do not negotiate: problem documents are acceptable to every client. */
const formatOf = (ctx: Context, { answers, formats }: Route): Result<Format, ApiError> =>
  answers.kind === 'nothing' || answers.kind === 'redirect'
    ? ok(formats[0] ?? mediaTypes.json)
    : negotiate(ctx, formats);
