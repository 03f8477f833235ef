import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { cookieNames } from './cookies.ts';
import { compressedTag } from './entity-tag.ts';

/** Bytes of an answer that fits into one packet with its header fields: to compress it would save nothing. */
const smallBytes = 1024;

/** Two thirds of the time of the usual level for a tenth more bytes. */
const level = 4;

/**
 * Compresses answers for clients that take gzip (RFC 9110 section 12.5.3). What stays the same while the service runs is
 * compressed once.
 */
export function compression(): Middleware {
  const remembered = new WeakMap<Buffer, Promise<Buffer>>();
  const compressedOnce = (body: Buffer): Promise<Buffer> => {
    const compressed = remembered.get(body) ?? promisify(gzip)(body, { level });
    remembered.set(body, compressed);
    return compressed;
  };
  return async (ctx, next) => {
    await next();
    const { body } = ctx;
    if (isSecret(ctx)) return;
    ctx.vary('Accept-Encoding');
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    if (!isText || body.length < smallBytes || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
    ctx.body = await compressedOnce(typeof body === 'string' ? Buffer.from(body) : body);
    ctx.set('Content-Encoding', 'gzip');
    const tag = ctx.response.get('ETag');
    if (tag !== '') ctx.set('ETag', compressedTag(tag));
  };
}

/**
 * Whether the length of the answer, once compressed, could give away a secret in it to those who choose another part of
 * it (BREACH). What must not be stored holds tokens, codes and accounts; cookies are what browsers send along when pages
 * of another site make them ask.
 */
const isSecret = (ctx: Context): boolean => {
  const caching = ctx.response.get('Cache-Control');
  return (
    caching.includes('no-store') ||
    (caching.includes('private') && ctx.cookies.get(cookieNames.accessToken) !== undefined)
  );
};
