import type { Context } from 'koa';
import { linkedProblem } from '../errors/linked-problem.ts';
import { problemDocument } from '../errors/problem-document.ts';
import { type ApiError, type ProblemOverrides } from '../errors/problems.ts';
import { collectionMembers, linkedCollection, withView } from '../resources/collection.ts';
import { type Flavour, writeJson } from '../resources/json-writer.ts';
import { linkHeader, type PageLinks, pageLinks } from '../resources/page-links.ts';
import { Collection, Item, type Paging } from '../resources/resource.ts';
import { clearedChallengeCookie, clearedSessionCookies } from './cookies.ts';
import { entityTag, variantOf, versionOf } from './entity-tag.ts';
import { type Format, mediaTypes } from './negotiation.ts';
import { isSafe } from './origin.ts';
import { knownTag } from './preconditions.ts';
import type { Parameter } from './query.ts';
import type { Answer } from './route.ts';

/** An answer as it goes out: nothing about it is left to decide. */
export interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body?: string;
  /** What its body shows; absent for lists and messages. */
  readonly resource?: ShownResource;
}

/** A resource that can be read again, and which of its members an answer had. */
export interface ShownResource {
  readonly iri: string;
  readonly members: readonly string[];
}

/** What of a request its answer depends on, once the route has answered. */
type Asked = Pick<Context, 'method' | 'path' | 'get'>;

/**
 * What an answer looks like in the negotiated format; 304 to a read of what the client has already. It sends nothing.
 * Links to other pages of a list repeat `parameters`.
 */
export function render(asked: Asked, answer: Answer, format: Format, parameters: readonly Parameter[]): Rendered {
  const { status, body, cookies = [] } = answer;
  const flavour = format === mediaTypes.linked ? 'linked' : 'plain';
  const { path } = asked;
  const paging = pagingOf(body);
  const links = paging && pageLinks({ path, parameters }, paging.page, paging.totalItems);
  const version = versionOf(body);
  const tag = version === undefined ? undefined : entityTag(version, flavour, variantOf(body));
  const headers = given({ ...headersOf(answer, flavour, links), ETag: tag });
  const known = tag !== undefined && isSafe(asked.method) ? knownTag(asked, tag) : undefined;
  if (known !== undefined) return { status: 304, headers: { ...headers, ETag: known }, cookies };
  if (body === undefined) return { status, headers, cookies };
  return {
    status,
    headers: { ...headers, 'Content-Type': `${format}; charset=utf-8` },
    cookies,
    body: written(path, body, flavour, links),
    ...(body instanceof Item ? shown(body) : {}),
  };
}

function pagingOf(body: Answer['body']): Paging | undefined {
  if (body instanceof Item) return body.paging;
  return body instanceof Collection ? body : undefined;
}

/** How an item can be read again; one without an address cannot. */
const shown = ({ iri, members }: Item): Pick<Rendered, 'resource'> =>
  iri === undefined ? {} : { resource: { iri, members: Object.keys(members) } };

/** Sends what was rendered; the text of a large body is given as its bytes. */
export function send(
  ctx: Context,
  { status, headers, cookies, body }: Omit<Rendered, 'body'> & { readonly body?: string | Buffer },
): void {
  const { Link: links, ...others } = headers;
  ctx.status = status;
  ctx.vary('Accept');
  ctx.set(others);
  if (links !== undefined) ctx.set('Link', withLinks(ctx, links));
  if (cookies.length > 0) ctx.append('Set-Cookie', [...cookies]);
  if (body !== undefined) ctx.body = body;
}

/** The links of an answer besides those that all answers have, in one header field. */
const withLinks = ({ response }: Context, links: string): string => {
  const usual = response.get('Link');
  return usual === '' ? links : `${links}, ${usual}`;
};

/** The total and the neighbours of a plain list are in header fields, those of a linked one in the collection. */
const headersOf = (
  { body, location, cacheControl, headers }: Answer,
  flavour: Flavour,
  links: PageLinks | undefined,
) => ({
  ...headers,
  Location: location,
  'Cache-Control': cacheControl,
  ...(body instanceof Collection && links !== undefined && flavour === 'plain' && body.plainForm !== 'object'
    ? { 'X-Total-Count': String(body.totalItems), Link: linkHeader(links) }
    : {}),
});

const given = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

function written(
  path: string,
  body: NonNullable<Answer['body']>,
  flavour: Flavour,
  links: PageLinks | undefined,
): string {
  if (body instanceof Item && links !== undefined) return writeJson(withView(body, links), flavour);
  if (!(body instanceof Collection) || links === undefined) return writeJson(body, flavour);
  if (flavour === 'linked') return writeJson(linkedCollection(body, path, links), flavour);
  return writeJson(body.plainForm === 'object' ? collectionMembers(body, path, links) : body.items, flavour);
}

/**
 * Writes an error as a problem document (RFC 9457), with linked-data keys for those who ask for them. What is our fault
 * names the request, so that it can be reported.
 */
export function respondProblem(ctx: Context, error: ApiError, overrides: ProblemOverrides = {}): void {
  const { status, headers, body, clears } = problemDocument(error, overrides);
  // The outermost middleware sets it for every request.
  const shown = status >= 500 ? { ...body, requestId: ctx.state['requestId'] as string } : body;
  ctx.status = status;
  ctx.vary('Accept');
  ctx.set(headers);
  if (clears === 'session') ctx.append('Set-Cookie', clearedSessionCookies());
  if (clears === 'challenge') ctx.append('Set-Cookie', clearedChallengeCookie());
  ctx.body = JSON.stringify(wantsLinkedData(ctx) ? linkedProblem(shown) : shown);
  ctx.type = `${mediaTypes.problem}; charset=utf-8`;
}

/** Only clients that name it: one that accepts anything gets the problem without keys that mean nothing to it. */
const wantsLinkedData = (ctx: Context): boolean =>
  ctx.accepts([mediaTypes.problem, mediaTypes.json, mediaTypes.linked]) === mediaTypes.linked;
