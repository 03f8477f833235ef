import koaCors from '@koa/cors';
import type { Middleware } from 'koa';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'X-API-TOKEN',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'X-Request-Id',
];
const responseHeaders = [
  'ETag',
  'Link',
  'Location',
  'X-Total-Count',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Rule-Positions',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
];

/** Seconds for which browsers may keep the answer to a preflight request. */
const preflightSeconds = 600;

/**
 * Lets pages of the listed origins use the API from browsers, cookies included (Fetch standard, "CORS protocol"). An
 * origin counts only if it is written exactly as in the list; to all others the answers are the same but for the missing
 * permission, which browsers enforce. An empty list turns it off.
 */
export function cors(origins: readonly string[]): Middleware {
  if (origins.length === 0) return (_, next) => next();
  const listed = new Set(origins);
  return koaCors({
    // An empty string means "no permission"; without this function every origin would have it.
    origin: (ctx) => (listed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: true,
    allowMethods: methods.join(', '),
    allowHeaders: requestHeaders.join(', '),
    exposeHeaders: responseHeaders.join(', '),
    maxAge: preflightSeconds,
    // The pipeline answers failures on the same context, so nothing has to be carried over by the error.
    keepHeadersOnError: false,
  });
}
