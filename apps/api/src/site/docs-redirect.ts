import { mediaTypes } from '@zonewright/api-description';
import type { Middleware } from 'koa';
import { reportOf } from '../observability/request-report.ts';

const html = 'text/html';

/** Redirects browsers from the entrypoint to the documentation page. */
export const docsRedirect: Middleware = (ctx, next) => {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (ctx.path !== '/api' || !isRead || ctx.accepts([mediaTypes.linked, mediaTypes.json, html]) !== html) return next();
  reportOf(ctx).route = ctx.path;
  ctx.vary('Accept');
  ctx.status = 303;
  ctx.set('Location', '/api/docs');
};
