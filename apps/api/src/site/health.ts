import { version } from '@zonewright/configuration';
import type { Context, Middleware } from 'koa';
import { requireRead } from '../http/other-methods.ts';
import { reportOf } from '../observability/request-report.ts';

/**
 * `/healthz` responds with the version while the process runs; `/readyz` reports whether it can serve requests that need
 * the database.
 */
export const health = (isReady: () => Promise<boolean>): Middleware => {
  const report = async (ctx: Context): Promise<void> => {
    reportOf(ctx).route = ctx.path;
    if (!requireRead(ctx)) return;
    const isAlive = ctx.path === '/healthz';
    const ready = isAlive || (await isReady());
    ctx.status = ready ? 200 : 503;
    ctx.type = 'json';
    // A string: before it serializes an object, Koa checks whether it is a `Response`, which makes Node load all of `fetch`.
    ctx.body = JSON.stringify({ status: ready ? 'ok' : 'not ready', ...(isAlive && { version }) });
  };
  return (ctx, next) => (ctx.path === '/healthz' || ctx.path === '/readyz' ? report(ctx) : next());
};
