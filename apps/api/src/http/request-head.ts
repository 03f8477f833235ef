import { type ApiError, type Format, type HttpError, mediaTypes } from '@zonewright/api-description';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import type { Parameter } from '../resources/page-links.ts';
import { checkMediaType } from './body.ts';
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

const maxLength = 255;

/**
 * The client's idempotency key (draft-ietf-httpapi-idempotency-key-header-07 section 2.1): a quoted string (RFC 9651
 * section 3.3.3), or the same text unquoted. Ignored by routes that do not replay responses.
 */
function idempotencyKey(
  ctx: Context,
  { isReplayable }: Pick<Route, 'isReplayable'>,
): Result<string | undefined, HttpError> {
  const { 'idempotency-key': [header, ...others] = [] } = ctx.req.headersDistinct;
  if (!isReplayable || header === undefined) return ok(undefined);
  const key = others.length === 0 ? unquoted(header) : undefined;
  const isValid = key !== undefined && key.length <= maxLength && /^[\x21-\x7e]+$/.test(key);
  return isValid ? ok(key) : err({ type: 'InvalidIdempotencyKey' });
}

/** Returns undefined for a malformed quoted string. Escaping every character doubles the length. */
function unquoted(header: string): string | undefined {
  if (!header.startsWith('"')) return header;
  if (header.length > 2 * maxLength + 2) return undefined;
  const [, inner] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header) ?? [];
  return inner?.replaceAll(/\\(["\\])/g, '$1');
}
