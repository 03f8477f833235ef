import { createHash } from 'node:crypto';
import type { IdempotencyKeys, KeyedRequest } from '@zonewright/postgres';
import type { Context } from 'koa';
import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { Format } from './negotiation.ts';
import type { ApiError, HttpError } from './problems.ts';
import type { Rendered } from './respond.ts';
import type { Route } from './route.ts';

const greatestLength = 255;

/**
 * The key that a client gave its request (draft-ietf-httpapi-idempotency-key-header-07 section 2.1): a quoted string
 * (RFC 9651 section 3.3.3), or the same without quotation marks. Routes that do not replay answers do not look at it.
 */
export function idempotencyKey(
  ctx: Context,
  { isReplayable }: Pick<Route, 'isReplayable'>,
): Result<string | undefined, HttpError> {
  const { 'idempotency-key': [header, ...others] = [] } = ctx.req.headersDistinct;
  if (!isReplayable || header === undefined) return ok(undefined);
  const key = others.length === 0 ? unquoted(header) : undefined;
  const isValid = key !== undefined && key.length <= greatestLength && /^[\x21-\x7e]+$/.test(key);
  return isValid ? ok(key) : err({ type: 'InvalidIdempotencyKey' });
}

/** Undefined when it begins like a quoted string and is none. With every character escaped it is twice as long. */
function unquoted(header: string): string | undefined {
  if (!header.startsWith('"')) return header;
  if (header.length > 2 * greatestLength + 2) return undefined;
  const [, inner] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header) ?? [];
  return inner?.replaceAll(/\\(["\\])/g, '$1');
}

/** A digest (SHA-256, hex) of what makes a request what it is: a repetition has the same, every other one another. */
export const fingerprintOf = ({ method, url, request }: Context, format: Format): string =>
  createHash('sha256')
    .update(JSON.stringify([method, url, format, request.rawBody]))
    .digest('hex');

/** Answers the request, or says again what was answered the last time. */
export const onlyOnce = (
  keys: IdempotencyKeys,
  request: KeyedRequest,
  answer: () => ResultAsync<Rendered, ApiError>,
): ResultAsync<Rendered, ApiError> =>
  keys
    .once(request, answer)
    .map(({ answer, isReplay }) =>
      isReplay ? { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } } : answer,
    );
