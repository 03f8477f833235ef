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

function valuesOf(all: readonly { readonly name: string; readonly value: string }[], wanted: string): Subject {
  const values: string[] = [];
  for (const { name, value } of all) if (name === wanted) values.push(value);
  return values.length === 0 ? absent : values;
}

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
