import type { HttpError } from '@zonewright/api-description';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';
import type { Route } from './route.ts';

const maxLength = 255;

/**
 * The client's idempotency key (draft-ietf-httpapi-idempotency-key-header-07 section 2.1): a quoted string (RFC 9651
 * section 3.3.3), or the same text unquoted. Ignored by routes that do not replay responses.
 */
export function idempotencyKey(
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
