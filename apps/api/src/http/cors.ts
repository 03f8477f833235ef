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

/** Seconds for which browsers may cache a preflight response. */
const preflightSeconds = 600;

/**
 * Lets browser pages from the listed origins call the API, cookies included (Fetch standard, "CORS protocol"). Origins
 * are compared exactly. Other origins get the same responses without the permission, which browsers enforce. An empty
 * list disables CORS.
 */
export function cors(origins: readonly string[]): Middleware {
  if (origins.length === 0) return (_, next) => next();
  const listed = new Set(origins);
  return koaCors({
    // An empty string denies permission; without this function every origin would be allowed.
    origin: (ctx) => (listed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: true,
    allowMethods: methods.join(', '),
    allowHeaders: requestHeaders.join(', '),
    exposeHeaders: responseHeaders.join(', '),
    maxAge: preflightSeconds,
    // The pipeline writes error responses on the same context, so the header fields are still there.
    keepHeadersOnError: false,
  });
}
