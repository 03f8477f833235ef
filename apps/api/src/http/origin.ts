import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';

/** A page of another site used a visitor's cookies. */
export interface ForeignOrigin {
  readonly type: 'ForeignOrigin';
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether requests of this method only read (RFC 9110 section 9.2.1). */
export const isSafe = (method: string): boolean => safeMethods.has(method);

/**
 * Refuses unsafe requests that carry a visitor's cookies but come from a page of another site (cross-site request
 * forgery). Requests with neither `Origin` nor `Sec-Fetch-Site` do not come from a browser.
 */
export function checkOrigin(ctx: Context, trusted: ReadonlySet<string>): Result<void, ForeignOrigin> {
  if (isSafe(ctx.method)) return ok();
  const origin = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  const foreign = origin === '' ? site !== '' && site !== 'same-origin' && site !== 'none' : !trusted.has(origin);
  return foreign ? err({ type: 'ForeignOrigin' }) : ok();
}
