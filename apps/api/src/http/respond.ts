import type { Context } from 'koa';
import { linkedCollection } from './collection.ts';
import { clearedChallengeCookie, clearedSessionCookies } from './cookies.ts';
import { entityTag, isNotModified } from './entity-tag.ts';
import { type Flavour, writeJson } from './json-writer.ts';
import { type Format, mediaTypes } from './negotiation.ts';
import { linkHeader, pageLinks } from './page-links.ts';
import { type ApiError, type ProblemOverrides, problemDocument } from './problem.ts';
import { Collection, Item } from './resource.ts';
import type { Answer } from './route.ts';

/** Writes what a route answered, in the negotiated format. */
export function respond(ctx: Context, { status, body, location, cookies, cacheControl }: Answer, format: Format): void {
  const flavour = format === mediaTypes.linked ? 'linked' : 'plain';
  ctx.status = status;
  ctx.vary('Accept');
  if (location !== undefined) ctx.set('Location', location);
  if (cacheControl !== undefined) ctx.set('Cache-Control', cacheControl);
  if (cookies !== undefined) ctx.append('Set-Cookie', [...cookies]);
  if (body === undefined) return;
  if (body instanceof Item) respondItem(ctx, body, flavour);
  else if (body instanceof Collection) respondCollection(ctx, body, flavour);
  else ctx.body = writeJson(body, flavour);
  if (ctx.status !== 304) ctx.type = `${format}; charset=utf-8`;
}

function respondItem(ctx: Context, item: Item, flavour: Flavour): void {
  if (item.version !== undefined) {
    const tag = entityTag(item.version, flavour);
    ctx.set('ETag', tag);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && isNotModified(ctx.get('If-None-Match'), tag)) {
      ctx.status = 304;
      return;
    }
  }
  ctx.body = writeJson(item, flavour);
}

function respondCollection(ctx: Context, collection: Collection, flavour: Flavour): void {
  const links = pageLinks(ctx, collection.page, collection.totalItems);
  if (flavour === 'linked') {
    ctx.body = writeJson(linkedCollection(collection, ctx.path, links), flavour);
    return;
  }
  ctx.set('X-Total-Count', String(collection.totalItems));
  ctx.set('Link', linkHeader(links));
  ctx.body = writeJson(collection.items, flavour);
}

/** Writes an error as a problem document (RFC 9457). What is our fault names the request, so that it can be reported. */
export function respondProblem(ctx: Context, error: ApiError, overrides: ProblemOverrides = {}): void {
  const { status, headers, body, clears } = problemDocument(error, overrides);
  ctx.status = status;
  ctx.set(headers);
  if (clears === 'session') ctx.append('Set-Cookie', clearedSessionCookies());
  if (clears === 'challenge') ctx.append('Set-Cookie', clearedChallengeCookie());
  ctx.body = JSON.stringify(status >= 500 ? { ...body, requestId: ctx.state['requestId'] as string } : body);
  ctx.type = `${mediaTypes.problem}; charset=utf-8`;
}
