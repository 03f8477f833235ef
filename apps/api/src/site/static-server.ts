import { digestOf, lazy, type StaticFile } from '@zonewright/site';
import type { Context, Middleware } from 'koa';
import { requireRead } from '../http/other-methods.ts';
import { knownTag } from '../http/preconditions.ts';
import { respondProblem } from '../http/respond.ts';
import { reportOf } from '../observability/request-report.ts';
import { entityTag } from '../resources/entity-tag.ts';

interface Served {
  readonly file: StaticFile;
  /** Cached after the first request. */
  readonly content: () => { readonly body: Buffer; readonly tag: string };
}

/**
 * Serves files by path, without credentials. If a path has several, `Accept` selects one and the first is the default;
 * a single file is sent whatever `Accept` says (RFC 9110 section 12.5.1 allows both). `files` is called on the first
 * request.
 */
export function staticServer(files: () => readonly StaticFile[]): Middleware {
  const byPath = lazy(() => servedByPath(files()));
  return (ctx, next) => {
    const offered = byPath().get(ctx.path);
    if (offered === undefined) return next();
    reportOf(ctx).route = offered[0]?.file.route ?? ctx.path;
    serve(ctx, offered);
  };
}

function servedByPath(files: readonly StaticFile[]): ReadonlyMap<string, readonly Served[]> {
  const byPath = new Map<string, readonly Served[]>();
  for (const file of files) byPath.set(file.path, [...(byPath.get(file.path) ?? []), served(file)]);
  return byPath;
}

function serve(ctx: Context, offered: readonly Served[]): void {
  if (!requireRead(ctx)) return;
  if (offered.length > 1) ctx.vary('Accept');
  const chosen = choose(ctx, offered);
  if (chosen === undefined) return respondProblem(ctx, { type: 'NotAcceptable', supported: offered.map(nameOf) });
  const { mediaType, headers = {} } = chosen.file;
  const { body, tag } = chosen.content();
  const matchingTag = knownTag(ctx, tag);
  permitAnyOrigin(ctx, chosen.file);
  ctx.set({ ...headers, 'Cache-Control': cachingOf(chosen.file), ETag: matchingTag ?? tag });
  ctx.status = matchingTag === undefined ? 200 : 304;
  if (matchingTag !== undefined) return;
  ctx.body = body;
  ctx.type = mediaType;
}

/** Unless the origin has a permission of its own, which may include cookies (Fetch standard, "CORS protocol"). */
function permitAnyOrigin(ctx: Context, { isForAnyOrigin = false }: StaticFile): void {
  const field = 'Access-Control-Allow-Origin';
  if (isForAnyOrigin && !ctx.res.hasHeader(field)) ctx.set(field, '*');
}

const cachingOf = ({ isImmutable = false }: StaticFile): string =>
  isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';

function choose(ctx: Context, offered: readonly Served[]): Served | undefined {
  if (offered.length === 1) return offered[0];
  // Offered with parameters, so that `Accept` matches with and without them.
  const accepted = ctx.accepts(offered.map(({ file }) => file.mediaType));
  return offered.find(({ file }) => file.mediaType === accepted);
}

const nameOf = ({ file: { mediaType } }: Served): string => mediaType.split(';', 1)[0] ?? mediaType;

const served = (file: StaticFile): Served => ({
  file,
  content: lazy(() => ({ body: Buffer.from(file.body), tag: entityTag(digestOf(file.body), 'plain') })),
});
