import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { isNotModified } from '../http/entity-tag.ts';
import { respondProblem } from '../http/respond.ts';

interface Asset {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly compressed: () => Promise<Buffer>;
}

/** The same distance from `src/site` and from `dist/site`. */
const folder = new URL('../../pages/docs/', import.meta.url);
const { resolve } = createRequire(import.meta.url);

const [css, js] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];

/** Everything that the documentation page loads from here; nothing else in these folders is served. */
const assets: readonly Asset[] = [
  assetOf('swagger-ui.css', css, resolve('swagger-ui-dist/swagger-ui.css')),
  assetOf('swagger-ui-bundle.js', js, resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  assetOf('docs.css', css, new URL('docs.css', folder)),
  assetOf('docs.js', js, new URL('docs.js', folder)),
  assetOf('reference.js', js, new URL('reference.js', folder)),
  assetOf('local-references.js', js, new URL('local-references.js', folder)),
];

function assetOf(name: string, mediaType: string, file: string | URL): Asset {
  const bytes = readFileSync(file);
  let compressed: Promise<Buffer> | undefined;
  // When the first browser asks for it: most instances are never asked.
  return { name, mediaType, bytes, compressed: () => (compressed ??= promisify(gzip)(bytes)) };
}

/** Of all files, as they belong together: another one is another address, so nobody needs to ask for a file again. */
const digest = assets
  .reduce((hash, { bytes }) => hash.update(bytes), createHash('sha256'))
  .digest('base64url')
  .slice(0, 22);

/** Where they are, relative to the documentation page. */
export const docsAssetsFolder = `docs/assets/${digest}`;

/** Serves what the documentation page loads. */
export function docsAssets(): Middleware {
  const byPath = new Map(assets.map((asset) => [`/api/${docsAssetsFolder}/${asset.name}`, asset]));
  return async (ctx, next) => {
    const asset = byPath.get(ctx.path);
    if (asset === undefined) return next();
    ctx.state['route'] = '/api/docs/assets';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      return respondProblem(ctx, { type: 'MethodNotAllowed', allow: 'GET, HEAD' });
    }
    await serve(ctx, asset);
  };
}

async function serve(ctx: Context, { mediaType, bytes, compressed }: Asset): Promise<void> {
  const encoding = ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'gzip' : undefined;
  const tag = encoding === undefined ? `"${digest}"` : `"${digest}.${encoding}"`;
  ctx.set({ 'Cache-Control': 'public, max-age=31536000, immutable', ETag: tag });
  ctx.vary('Accept-Encoding');
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  ctx.status = isNotModified(ctx.get('If-None-Match'), tag) ? 304 : 200;
  if (ctx.status === 304) return;
  ctx.body = encoding === undefined ? bytes : await compressed();
  ctx.type = mediaType;
}
