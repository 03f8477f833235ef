import { mediaTypes } from '@zonewright/api-description';
import { notFoundPath, type StaticFile } from '@zonewright/site';
import type { Context } from 'koa';
import { respondProblem } from '../http/respond.ts';

const html = 'text/html';

/** Responds that there is nothing at this address: with a page for people, and a problem document for programs. */
export function respondNotFound(ctx: Context, files: readonly StaticFile[]): void {
  const mayBePerson = ctx.method === 'GET' && !ctx.path.startsWith('/api/');
  const page = mayBePerson ? files.find(({ path }) => path === notFoundPath) : undefined;
  if (page === undefined || ctx.accepts([mediaTypes.problem, mediaTypes.json, html]) !== html) {
    return respondProblem(ctx, { type: 'NotFound' });
  }
  ctx.status = 404;
  ctx.vary('Accept');
  ctx.set({ ...page.headers });
  ctx.type = page.mediaType;
  ctx.body = page.body;
}
