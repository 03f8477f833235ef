import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { cookieNames } from '@zonewright/api-description';
import type { Context, Middleware } from 'koa';
import { compressedTag } from '../resources/entity-tag.ts';

/** Responses below this size fit into one packet with their header fields: compressing them saves nothing. */
const smallBytes = 1024;

/** Takes two thirds of the default level's time for 10 % more bytes. */
const level = 4;

/**
 * Compresses responses for clients that accept gzip (RFC 9110 section 12.5.3). Static documents are compressed once.
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
    if (isSecret(ctx) || ctx.res.hasHeader('Content-Encoding')) return;
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
 * Whether compression could leak a secret through the response length to an attacker who controls part of the content
 * (BREACH). `no-store` responses hold tokens, codes and account data; requests with cookies can be triggered by other
 * sites.
 */
const isSecret = (ctx: Context): boolean => {
  const caching = ctx.response.get('Cache-Control');
  return (
    caching.includes('no-store') ||
    (caching.includes('private') && ctx.cookies.get(cookieNames.accessToken) !== undefined)
  );
};
