import { memoized } from '../memoized.ts';
import { isToken, lowerCased, trimmed } from '../request/bytes.ts';
import { type CanonicalRequest, isHeaderUnknown } from '../request/canonical-request.ts';
import { cookiesOf } from '../request/header-fields.ts';
import { parametersOf } from '../request/parameters.ts';
import type { FieldName } from './fields.ts';

/** What an operator tests: byte strings in order; none if the request lacks it. */
export type Subject = readonly string[];

/** A request at one stage of its processing: rewrites change path and query, or leave them unknown. */
export interface SeenRequest {
  readonly request: CanonicalRequest;
  /** Undefined: unknown. */
  readonly address: { readonly path: string; readonly query: string } | undefined;
}

const absent: Subject = [];

interface Named {
  readonly name: string;
  readonly value: string;
}

/** Up to so many, looking at each is faster than an index. */
const fewNames = 16;

function valuesOf(all: readonly Named[], wanted: string): Subject {
  if (all.length > fewNames) return valuesByName(all).get(wanted) ?? absent;
  const values: string[] = [];
  for (const { name, value } of all) if (name === wanted) values.push(value);
  return values.length === 0 ? absent : values;
}

/** Configurations may ask for thousands of names. */
const valuesByName = memoized((all: readonly Named[]): ReadonlyMap<string, Subject> => {
  const values = new Map<string, string[]>();
  for (const { name, value } of all) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [value]);
    else earlier.push(value);
  }
  return values;
});

const single = (value: string | undefined): Subject => (value === undefined ? absent : [value]);

/** Reads a subject; undefined if unknown. */
export function subjectOf(field: FieldName, target: string, seen: SeenRequest): Subject | undefined {
  const { request, address } = seen;
  const { facts } = request;
  switch (field) {
    case 'uri':
    case 'query':
    case 'url':
    case 'queryParam':
    case 'extension':
      return address === undefined ? undefined : addressSubject(field, target, request, address);
    case 'header':
      return headerSubject(request, target);
    case 'userAgent':
      return headerSubject(request, 'user-agent');
    case 'referer':
      return headerSubject(request, 'referer');
    case 'acceptLanguage':
      return headerSubject(request, 'accept-language');
    case 'contentType':
      return contentTypeSubject(request);
    case 'cookie':
      return isHeaderUnknown(request, 'cookie') ? undefined : valuesOf(cookiesOf(request.headers), target);
    case 'method':
    case 'host':
    case 'scheme':
      return [request[field]];
    case 'ip':
      return facts.ip === undefined ? undefined : [facts.ip.text];
    case 'country':
      return facts.country === undefined ? undefined : single(facts.country ?? undefined);
    case 'asn':
      return facts.asn === undefined ? undefined : single(facts.asn?.toString());
    case 'status':
      return facts.status === undefined ? undefined : [facts.status.toString()];
  }
}

type AddressField = 'uri' | 'query' | 'url' | 'queryParam' | 'extension';
type Address = NonNullable<SeenRequest['address']>;

function addressSubject(field: AddressField, target: string, request: CanonicalRequest, address: Address): Subject {
  const { path, query } = address;
  switch (field) {
    case 'uri':
      return [path];
    case 'query':
      return [query];
    case 'url':
      return [`${request.scheme}://${request.host}${path}${query === '' ? '' : `?${query}`}`];
    case 'queryParam':
      return valuesOf(parametersOf(address), target);
    case 'extension':
      return single(extensionOf(path));
  }
}

/** Work of splitting a text into names and values, for each of them. */
const workForPair = 40;

/** The work of splitting a text at a separator into names and values, and of doing something with each. */
export function splittingWork(text: string, separator: string, workForEach = 0): number {
  let pairs = 1;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) pairs += 1;
  return text.length + (workForPair + workForEach) * pairs;
}

/** The work of reading a subject; of cookies and parameters, all are split for the first one. */
export function readingWork(field: FieldName, { request, address }: SeenRequest): number {
  switch (field) {
    case 'cookie':
      return splittingWork(request.headers.get('cookie') ?? '', ';');
    case 'queryParam':
      return splittingWork(address?.query ?? '', '&');
    case 'contentType':
      return request.headers.get('content-type')?.length ?? 0;
    case 'url':
    case 'extension':
      return address === undefined ? 0 : (address.path.length + address.query.length) >> 2;
    default:
      return 0;
  }
}

/** The value of a header by lower-case name; undefined if unknown. */
export const headerSubject = (request: CanonicalRequest, name: string): Subject | undefined =>
  isHeaderUnknown(request, name) ? undefined : single(request.headers.get(name));

function contentTypeSubject(request: CanonicalRequest): Subject | undefined {
  const subject = headerSubject(request, 'content-type');
  if (subject?.[0] === undefined) return subject;
  const [written = ''] = subject[0].split(';', 1);
  const mediaType = lowerCased(trimmed(written));
  const parts = mediaType.split('/');
  return parts.length === 2 && parts.every(isToken) ? [mediaType] : absent;
}

const extension = /^[a-z0-9]{1,16}$/;

/** The text after the last dot of a path's last segment, in lower case; undefined if that is not an extension. */
export function extensionOf(path: string): string | undefined {
  const dot = path.lastIndexOf('.');
  if (dot <= path.lastIndexOf('/')) return undefined;
  const written = path.slice(dot + 1).toLowerCase();
  return extension.test(written) ? written : undefined;
}
