import type { ForeignOrigin } from '@zonewright/api-description';
import type { Context } from 'koa';
import { err, ok, type Result } from 'neverthrow';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the method is safe (RFC 9110 section 9.2.1). */
export const isSafe = (method: string): boolean => safeMethods.has(method);

/**
 * Prevents cross-site request forgery: rejects unsafe requests that carry cookies but come from another site's page.
 * Requests with neither `Origin` nor `Sec-Fetch-Site` do not come from a browser.
 */
export function checkOrigin(ctx: Context, trusted: ReadonlySet<string>): Result<void, ForeignOrigin> {
  if (isSafe(ctx.method)) return ok();
  const origin = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  const foreign = origin === '' ? site !== '' && site !== 'same-origin' && site !== 'none' : !trusted.has(origin);
  return foreign ? err({ type: 'ForeignOrigin' }) : ok();
}
