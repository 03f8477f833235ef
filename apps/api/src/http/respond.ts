import { gunzipSync } from 'node:zlib';
import { type ApiError, type Format, mediaTypes, type ProblemOverrides } from '@zonewright/api-description';
import { withoutUndefined } from '@zonewright/core';
import type { Context } from 'koa';
import { linkedProblem } from '../errors/linked-problem.ts';
import { problemDocument } from '../errors/problem-document.ts';
import { reportOf } from '../observability/request-report.ts';
import { collectionMembers, linkedCollection, withView } from '../resources/collection.ts';
import { compressedTag, entityTag, variantOf, versionOf } from '../resources/entity-tag.ts';
import { type Flavour, writeJson } from '../resources/json-writer.ts';
import { linkHeader, type PageLinks, type Parameter, pageLinks } from '../resources/page-links.ts';
import { Collection, CompressedJson, Item, type Paging } from '../resources/resource.ts';
import type { Answer } from './answer.ts';
import { clearedChallengeCookie, clearedSessionCookies } from './cookies.ts';
import { isSafe } from './origin.ts';
import { knownTag } from './preconditions.ts';

/** A complete response, ready to be sent or stored. */
export interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body?: string;
  /** A body that is compressed with gzip already. */
  readonly compressed?: Buffer;
  /** The resource in the body; absent for lists and messages. */
  readonly resource?: ShownResource;
}

/** A response as it is sent; large bodies arrive as bytes. */
export type Sendable = Omit<Rendered, 'body' | 'resource'> & { readonly body?: string | Buffer };

/** A resource that can be read again, and the members that the response contained. */
export interface ShownResource {
  readonly iri: string;
  readonly members: readonly string[];
}

type RenderedRequest = Pick<Context, 'method' | 'path' | 'get'>;

/**
 * Builds the response in the negotiated format without sending it; 304 when the client already has the representation.
 * Paging links repeat `parameters`.
 */
export function render(
  request: RenderedRequest,
  answer: Answer,
  format: Format,
  parameters: readonly Parameter[],
): Rendered {
  const { status, body, cookies = [] } = answer;
  const flavour = format === mediaTypes.linked ? 'linked' : 'plain';
  const { path } = request;
  const paging = pagingOf(body);
  const links = paging && pageLinks({ path, parameters }, paging.page, paging.totalItems);
  const version = versionOf(body);
  const tag = version === undefined ? undefined : entityTag(version, flavour, variantOf(body));
  // None of those that are left is undefined.
  const headers = withoutUndefined({ ...headersOf(answer, flavour, links), ETag: tag }) as Record<string, string>;
  const matchingTag = tag !== undefined && isSafe(request.method) ? knownTag(request, tag) : undefined;
  if (matchingTag !== undefined) return { status: 304, headers: { ...headers, ETag: matchingTag }, cookies };
  if (body === undefined) return { status, headers, cookies };
  const described = { status, headers: { ...headers, 'Content-Type': `${format}; charset=utf-8` }, cookies };
  if (body instanceof CompressedJson) return { ...described, compressed: body.bytes };
  return { ...described, body: written(path, body, flavour, links), ...shown(body) };
}

function pagingOf(body: Answer['body']): Paging | undefined {
  if (body instanceof Item) return body.paging;
  return body instanceof Collection ? body : undefined;
}

/** Only items with an address can be read again. */
const shown = (body: Answer['body']): Pick<Rendered, 'resource'> =>
  body instanceof Item && body.iri !== undefined
    ? { resource: { iri: body.iri, members: Object.keys(body.members) } }
    : {};

/** Sends a rendered response. */
export function send(ctx: Context, { status, headers, cookies, body, compressed }: Sendable): void {
  ctx.status = status;
  ctx.vary('Accept');
  for (const [name, value] of Object.entries(headers)) ctx.set(name, name === 'Link' ? withLinks(ctx, value) : value);
  if (cookies.length > 0) ctx.append('Set-Cookie', [...cookies]);
  if (compressed !== undefined) sendCompressed(ctx, compressed);
  else if (body !== undefined) ctx.body = body;
  else withoutBody(ctx, status);
}

/** Clients that do not accept gzip get the text itself. */
function sendCompressed(ctx: Context, bytes: Buffer): void {
  ctx.vary('Accept-Encoding');
  const isAccepted = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isAccepted) ctx.set({ 'Content-Encoding': 'gzip', ETag: compressedTag(ctx.response.get('ETag')) });
  ctx.body = isAccepted ? bytes : gunzipSync(bytes);
}

/** Koa would otherwise send the words of the status, and turns an explicit null into 204. */
export function withoutBody(ctx: Context, status: number): void {
  ctx.body = null;
  ctx.status = status;
}

/** Merges these links with those that every response carries into one field. */
const withLinks = ({ res, response }: Context, links: string): string =>
  res.hasHeader('Link') ? `${links}, ${response.get('Link')}` : links;

/** Plain lists carry total and paging links in header fields; linked ones carry them in the collection. */
const headersOf = (
  { status, body, location, cacheControl, headers }: Answer,
  flavour: Flavour,
  links: PageLinks | undefined,
) => ({
  ...headers,
  Location: location ?? (status === 201 && body instanceof Item ? body.iri : undefined),
  'Cache-Control': cacheControl,
  ...(body instanceof Collection && links !== undefined && flavour === 'plain' && body.plainForm !== 'object'
    ? { 'X-Total-Count': String(body.totalItems), Link: linkHeader(links) }
    : {}),
});

function written(
  path: string,
  body: Exclude<NonNullable<Answer['body']>, CompressedJson>,
  flavour: Flavour,
  links: PageLinks | undefined,
): string {
  if (body instanceof Item && links !== undefined) return writeJson(withView(body, links), flavour);
  if (!(body instanceof Collection) || links === undefined) return writeJson(body, flavour);
  if (flavour === 'linked') return writeJson(linkedCollection(body, path, links), flavour);
  return writeJson(body.plainForm === 'object' ? collectionMembers(body, path, links) : body.items, flavour);
}

/**
 * Writes an error as a problem document (RFC 9457), with JSON-LD keys for clients that ask for them. Server errors
 * include the request id so that clients can report it.
 */
export function respondProblem(ctx: Context, error: ApiError, overrides: ProblemOverrides = {}): void {
  const { status, headers, body, clears } = problemDocument(error, overrides);
  const shown = status >= 500 ? { ...body, requestId: reportOf(ctx).id } : body;
  ctx.status = status;
  ctx.vary('Accept');
  ctx.set(headers);
  if (clears === 'session') ctx.append('Set-Cookie', clearedSessionCookies());
  if (clears === 'challenge') ctx.append('Set-Cookie', clearedChallengeCookie());
  ctx.body = JSON.stringify(wantsLinkedData(ctx) ? linkedProblem(shown) : shown);
  ctx.type = `${mediaTypes.problem}; charset=utf-8`;
}

/** Only for clients that name the media type: to others the JSON-LD keys would mean nothing. */
const wantsLinkedData = (ctx: Context): boolean =>
  ctx.accepts([mediaTypes.problem, mediaTypes.json, mediaTypes.linked]) === mediaTypes.linked;
