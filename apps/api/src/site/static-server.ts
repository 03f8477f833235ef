import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { isNotModified } from '../http/entity-tag.ts';
import { respondProblem } from '../http/respond.ts';

/** A document that stays the same while the service runs. */
export interface PreparedDocument {
  readonly path: string;
  /** With its parameters, such as `text/html; charset=utf-8`. */
  readonly mediaType: string;
  readonly body: string;
  /** Header fields of this document alone. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Served extends PreparedDocument {
  readonly tag: string;
}

/**
 * Serves documents by path. Where a path has several, `Accept` chooses and the first is for clients that do not care;
 * one that is alone is the answer to everybody (RFC 9110 section 12.5.1 allows both). Needs no credentials.
 */
export function documents(prepared: readonly PreparedDocument[]): Middleware {
  const byPath = new Map<string, readonly Served[]>();
  for (const document of prepared) {
    byPath.set(document.path, [...(byPath.get(document.path) ?? []), { ...document, tag: tagOf(document.body) }]);
  }
  return (ctx, next) => {
    const offered = byPath.get(ctx.path);
    if (offered === undefined) return next();
    ctx.state['route'] = ctx.path;
    return serve(ctx, offered);
  };
}

const allow = 'HEAD, GET, OPTIONS';

function serve(ctx: Context, offered: readonly Served[]): void {
  if (ctx.method === 'OPTIONS') {
    ctx.set('Allow', allow);
    ctx.status = 204;
    return;
  }
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return respondProblem(ctx, { type: 'MethodNotAllowed', allow });
  if (offered.length > 1) ctx.vary('Accept');
  const chosen = choose(ctx, offered);
  if (chosen === undefined) return respondProblem(ctx, { type: 'NotAcceptable', supported: offered.map(nameOf) });
  respond(ctx, chosen);
}

function respond(ctx: Context, { mediaType, body, headers = {}, tag }: Served): void {
  ctx.set({ ...headers, 'Cache-Control': 'no-cache', ETag: tag });
  ctx.status = isNotModified(ctx.get('If-None-Match'), tag) ? 304 : 200;
  if (ctx.status === 304) return;
  ctx.body = body;
  ctx.type = mediaType;
}

function choose(ctx: Context, offered: readonly Served[]): Served | undefined {
  if (offered.length === 1) return offered[0];
  // With its parameters, a type is acceptable to those who name them and to those who do not.
  const accepted = ctx.accepts(offered.map(({ mediaType }) => mediaType));
  return offered.find(({ mediaType }) => mediaType === accepted);
}

const nameOf = ({ mediaType }: PreparedDocument): string => mediaType.split(';', 1)[0] ?? mediaType;

const tagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
