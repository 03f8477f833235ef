import { type HttpError, payloadsUnread } from '@zonewright/api-description';
import { isJsonObject, type Json, type JsonObject } from '@zonewright/core';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { err, ok, type Result } from 'neverthrow';

/** Takes in bytes of a request body as they arrive; false if there is no memory for more. */
export type Arrival = (bytes: number) => boolean;

const maxDepth = 32;
const maxObject = 1000;
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** How long a body, and each list in it, may be. */
export interface BodyLimit {
  readonly bytes: number;
  readonly entries: number;
}

/**
 * Credentials are small; zones with custom pages and complete rule lists are not. An edge may report that it rejects
 * every zone that it serves.
 */
export const bodyLimits = {
  small: { bytes: 16 * 1024, entries: 1000 },
  large: { bytes: 256 * 1024, entries: 1000 },
  changeSet: { bytes: 1024 * 1024, entries: 1000 },
  whole: { bytes: 1536 * 1024, entries: 1000 },
  report: { bytes: 8 * 1024 * 1024, entries: 10_000 },
} as const satisfies Record<string, BodyLimit>;

/** Most routes accept only an object; some also accept an array. */
export type JsonBody = JsonObject | readonly Json[];

/** The top-level JSON types a route accepts. */
export type BodyShape = 'object' | 'object or array';

/** Whether the request has a body (RFC 9112 section 6.3). */
export const hasBody = ({ req }: Context): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** Rejects an unsupported media type, encoding or charset before reading the body. JSON is always UTF-8 (RFC 8259). */
export function checkMediaType(ctx: Context, supported: readonly string[]): Result<void, HttpError> {
  if (!hasBody(ctx)) return ok();
  const encoding = ctx.get('Content-Encoding');
  const encoded = encoding !== '' && encoding.toLowerCase() !== 'identity';
  if (encoded || !ctx.is([...supported])) return err({ type: 'UnsupportedMediaType', supported });
  return /^(?:utf-?8)?$/i.test(ctx.request.charset)
    ? ok()
    : err({ type: 'UnsupportedMediaType', supported: ['UTF-8'] });
}

/** How a route reads bodies. */
interface BodyReading {
  readonly limit: BodyLimit;
  readonly shape: BodyShape;
  readonly arrival: Arrival;
}

/** Reads a JSON body; any other top-level shape counts as a missing body. */
export async function readBody(
  ctx: Context,
  { limit, shape, arrival }: BodyReading,
): Promise<Result<JsonBody, HttpError>> {
  if (!hasBody(ctx)) return err(malformed(`The request needs a body: a JSON ${shape}.`));
  // Before anything is read, so that the rest of the body is skipped and the connection stays usable.
  if ((ctx.request.length ?? 0) > limit.bytes) return err({ type: 'PayloadTooLarge' });
  const error = await Promise.race([unreadableBytes(ctx, arrival), parsed(ctx, limit.bytes)]);
  if (error !== undefined) return err(error);
  const body: unknown = ctx.request.rawBody === '' ? undefined : ctx.request.body;
  if (!hasShape(body, shape)) return err(malformed(`The body should be a JSON ${shape}.`));
  const excess = excessIn(body, limit.entries);
  return excess === undefined ? ok(body) : err(malformed(excess));
}

/**
 * Resolves once there is no memory for what arrives, or it is not UTF-8, which the parser would replace silently; the
 * rest is not read, so the connection closes.
 */
const unreadableBytes = (ctx: Context, arrival: Arrival): Promise<HttpError> =>
  new Promise((resolve) => {
    const isEncoded = utf8Check();
    const refuse = (error: HttpError) => {
      ctx.req.pause();
      ctx.set('Connection', 'close');
      resolve(error);
    };
    ctx.req.on('data', (chunk: Buffer) => {
      if (!arrival(chunk.length)) refuse(payloadsUnread());
      else if (!isEncoded(chunk)) refuse(notUtf8);
    });
    ctx.req.on('end', () => {
      if (!isEncoded()) resolve(notUtf8);
    });
  });

/** Whether the bytes so far can be, or after the last call are, UTF-8 (RFC 3629). */
function utf8Check(): (chunk?: Buffer) => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
      return true;
    } catch {
      return false;
    }
  };
}

const parsed = (ctx: Context, limit: number): Promise<HttpError | undefined> =>
  parserFor(limit)(ctx, async () => {}).then(() => undefined, unreadable);

const hasShape = (body: unknown, shape: BodyShape): body is JsonBody =>
  isJsonObject(body) || (shape === 'object or array' && Array.isArray(body));

const malformed = (reason: string): HttpError => ({ type: 'MalformedBody', reason });

const notUtf8 = malformed('The body is not encoded in UTF-8.');

const parsers = new Map<number, ReturnType<typeof bodyParser>>();

function parserFor(limit: number) {
  const existing = parsers.get(limit);
  if (existing !== undefined) return existing;
  const parser = bodyParser({
    enableTypes: ['json'],
    extendTypes: { json: ['application/json', 'application/ld+json', 'application/merge-patch+json'] },
    jsonLimit: `${limit}b`,
    // Numbers and texts are JSON as well: they are refused for what they are.
    strict: false,
  });
  parsers.set(limit, parser);
  return parser;
}

/** Maps parser errors caused by the client; any other error is a defect and is rethrown. */
function unreadable(error: unknown): HttpError {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return { type: 'PayloadTooLarge' };
  if (status === 415) return { type: 'UnsupportedMediaType', supported: ['UTF-8'] };
  if (status === 400 || error instanceof SyntaxError) return malformed('The body is not valid JSON.');
  throw error;
}

/**
 * Describes the first limit or forbidden member name the body violates. Iterative, so that deep nesting cannot exhaust
 * the stack.
 */
function excessIn(body: JsonBody, maxEntries: number): string | undefined {
  let level: readonly object[] = [body];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return `The body is nested deeper than ${maxDepth} levels.`;
    const problem = level.map((value) => excessOf(value, maxEntries)).find((excess) => excess !== undefined);
    if (problem !== undefined) return problem;
    level = level
      .flatMap((value): readonly unknown[] => Object.values(value))
      .filter((value) => typeof value === 'object' && value !== null);
  }
  return undefined;
}

function excessOf(value: object, maxEntries: number): string | undefined {
  if (Array.isArray(value)) {
    return value.length > maxEntries ? `A list in the body has more than ${maxEntries} entries.` : undefined;
  }
  const names = Object.keys(value);
  if (names.length > maxObject) return `An object in the body has more than ${maxObject} members.`;
  const forbidden = names.find((name) => forbiddenNames.has(name));
  return forbidden === undefined ? undefined : `The member name ${forbidden} is not allowed.`;
}
