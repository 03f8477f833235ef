import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { isNotModified } from '../http/entity-tag.ts';
import { requireRead } from '../http/other-methods.ts';
import { respondProblem } from '../http/respond.ts';

/** Something that stays the same while the service runs: a page, what a page loads, a document. */
export interface StaticFile {
  readonly path: string;
  /** With its parameters, such as `text/html; charset=utf-8`. */
  readonly mediaType: string;
  readonly body: string | Buffer;
  /** Header fields of this file alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What logs and metrics call its path, where that has a part that differs from release to release. */
  readonly route?: string;
  /** Whether its path names its content: then it is kept without asking again. */
  readonly isImmutable?: boolean;
  /** Whether it is sent compressed to clients that can read that. */
  readonly isCompressible?: boolean;
}

/** A file that is made of text here. */
export interface StaticDocument extends StaticFile {
  readonly body: string;
}

interface Served extends StaticFile {
  readonly digest: string;
  /** Undefined where it is always sent as it is. */
  readonly compressed: (() => Promise<Buffer>) | undefined;
}

/**
 * Serves files by path. Where a path has several, `Accept` chooses and the first is for clients that do not care;
 * one that is alone is the answer to everybody (RFC 9110 section 12.5.1 allows both). Needs no credentials.
 */
export function staticServer(files: readonly StaticFile[]): Middleware {
  const byPath = new Map<string, readonly Served[]>();
  for (const file of files) byPath.set(file.path, [...(byPath.get(file.path) ?? []), prepared(file)]);
  return (ctx, next) => {
    const offered = byPath.get(ctx.path);
    if (offered === undefined) return next();
    ctx.state['route'] = offered[0]?.route ?? ctx.path;
    return serve(ctx, offered);
  };
}

async function serve(ctx: Context, offered: readonly Served[]): Promise<void> {
  if (!requireRead(ctx)) return;
  if (offered.length > 1) ctx.vary('Accept');
  const chosen = choose(ctx, offered);
  if (chosen === undefined) return respondProblem(ctx, { type: 'NotAcceptable', supported: offered.map(nameOf) });
  await respond(ctx, chosen);
}

async function respond(ctx: Context, file: Served): Promise<void> {
  const { mediaType, body, headers = {}, digest, compressed } = file;
  if (compressed !== undefined) ctx.vary('Accept-Encoding');
  const isCompressed = compressed !== undefined && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  const tag = isCompressed ? `"${digest}.gzip"` : `"${digest}"`;
  ctx.set({ ...headers, 'Cache-Control': cachingOf(file), ETag: tag });
  if (isCompressed) ctx.set('Content-Encoding', 'gzip');
  ctx.status = isNotModified(ctx.get('If-None-Match'), tag) ? 304 : 200;
  if (ctx.status === 304) return;
  ctx.body = isCompressed ? await compressed() : body;
  ctx.type = mediaType;
}

const cachingOf = ({ isImmutable = false }: StaticFile): string =>
  isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';

function choose(ctx: Context, offered: readonly Served[]): Served | undefined {
  if (offered.length === 1) return offered[0];
  // With its parameters, a type is acceptable to those who name them and to those who do not.
  const accepted = ctx.accepts(offered.map(({ mediaType }) => mediaType));
  return offered.find(({ mediaType }) => mediaType === accepted);
}

const nameOf = ({ mediaType }: StaticFile): string => mediaType.split(';', 1)[0] ?? mediaType;

const prepared = (file: StaticFile): Served => ({
  ...file,
  digest: digestOf(file.body),
  compressed: file.isCompressible === true ? compressedOnce(file.body) : undefined,
});

/** Compresses when the first client asks for it: most instances are never asked. */
function compressedOnce(body: string | Buffer): () => Promise<Buffer> {
  let compressed: Promise<Buffer> | undefined;
  return () => (compressed ??= promisify(gzip)(body));
}

/** A short name of a content, for entity tags and addresses. */
export const digestOf = (...contents: readonly (string | Buffer)[]): string =>
  contents
    .reduce((hash, content) => hash.update(content), createHash('sha256'))
    .digest('base64url')
    .slice(0, 22);
