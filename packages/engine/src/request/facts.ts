import { type AddressKey, addressKey } from '../addresses/address-set.ts';
import { formatIpAddress, parseIpAddress } from '../addresses/ip-address.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import {
  integer,
  type JsonObject,
  list,
  memberOf,
  object,
  oneOf,
  type Place,
  refuse,
  type Shape,
  text,
} from '../shapes.ts';
import { lowerCased } from './bytes.ts';
import { countryCodes } from './countries.ts';
import type { HeaderLine } from './header-fields.ts';

/** The scheme of a connection. */
export type Scheme = 'http' | 'https';

/** A client address as canonical text, and as a key for range lookups. */
export interface ClientAddress {
  readonly text: string;
  readonly key: AddressKey;
}

/** What is known about a request. Texts are byte strings: one character (U+0000 to U+00FF) per byte. */
export interface RequestFacts {
  /** Of the client's connection. */
  readonly scheme: Scheme;
  /** `Host` header or `:authority`. */
  readonly authority: string;
  /** As on the request line (RFC 9112 section 3.2). */
  readonly target: string;
  readonly method: string;
  /** Field lines in wire order, without `Host`. */
  readonly headers: readonly HeaderLine[];
  /** The client's address; undefined: unknown. */
  readonly ip: ClientAddress | undefined;
  /** In upper case; undefined: unknown. */
  readonly country: string | undefined;
  /** Null: the client's network has none; undefined: unknown. */
  readonly asn: number | null | undefined;
  /** Of the final response; undefined: unknown. */
  readonly status: number | undefined;
  /** Headers not in `headers` are unknown. */
  readonly headersUnknown: boolean;
  /** The `Cookie` header is unknown. */
  readonly cookiesUnknown: boolean;
}

const members = [
  'url',
  'scheme',
  'authority',
  'target',
  'method',
  'headers',
  'ip',
  'country',
  'asn',
  'status',
  'unknown',
];
const maxAsn = 4_294_967_295;

/**
 * Parses facts from JSON, with either a `url` or `scheme`, `authority` and `target`. Fails on invalid input; a request
 * that a strict proxy would reject is valid input.
 */
export function parseFacts(input: unknown): Outcome<RequestFacts, readonly Problem[]> {
  const problems: Problem[] = [];
  const place: Place = { path: '', problems };
  const given = object(input, place);
  if (given === undefined) return failure(problems);
  const optional = <T>(member: string, shape: Shape<T>): T | undefined =>
    given[member] === undefined ? undefined : shape(given[member], memberOf(place, member));
  for (const name of Object.keys(given).filter((each) => !members.includes(each))) {
    refuse(memberOf(place, name), 'member.unknown', 'This member is not known.');
  }
  const { scheme, authority, target } = addressed(given, place);
  const facts = {
    scheme,
    authority,
    target,
    method: optional('method', text) ?? 'GET',
    headers: optional('headers', list(headerLine)) ?? [],
    ip: optional('ip', clientAddress),
    country: optional('country', countryText),
    asn: given['asn'] === null ? null : optional('asn', integer(1, maxAsn)),
    status: optional('status', integer(100, 599)),
    ...unknownParts(given, place),
  };
  return problems.length > 0 ? failure(problems) : success(facts);
}

type Addressed = Pick<RequestFacts, 'scheme' | 'authority' | 'target'>;
const parts = ['scheme', 'authority', 'target'] as const;
const urlParts = /^(https?):\/\/([^/?#]*)([^]*)$/i;
const nowhere: Addressed = { scheme: 'https', authority: '', target: '/' };

function addressed(given: JsonObject, place: Place): Addressed {
  const written = parts.filter((part) => given[part] !== undefined);
  const url = memberOf(place, 'url');
  if (given['url'] !== undefined) {
    if (written.length === 0) return partsOfUrl(given['url'], url);
    refuse(
      url,
      'request.url.twice',
      'The url already contains the scheme, authority and target; send one or the other.',
    );
    return nowhere;
  }
  if (written.length === 0) {
    refuse(url, 'member.required', 'This member is required, unless scheme, authority and target are given.');
    return nowhere;
  }
  const [scheme, authority, target] = [
    oneOf('http', 'https')(given['scheme'], memberOf(place, 'scheme')),
    text(given['authority'], memberOf(place, 'authority')),
    text(given['target'], memberOf(place, 'target')),
  ];
  return { scheme: scheme ?? nowhere.scheme, authority: authority ?? '', target: target ?? '/' };
}

function partsOfUrl(value: unknown, place: Place): Addressed {
  const url = text(value, place);
  if (url === undefined) return nowhere;
  const [, scheme, authority = '', rest = ''] = urlParts.exec(url) ?? [];
  if (scheme === undefined) {
    refuse(place, 'request.url', 'This value should start with http:// or https://.');
    return nowhere;
  }
  return {
    scheme: scheme.length === 4 ? 'http' : 'https',
    authority,
    target: rest.startsWith('/') ? rest : `/${rest}`,
  };
}

const aboveByte = /[^\0-\xff]/;

const headerLine: Shape<HeaderLine> = (value, place) => {
  const line = object(value, place);
  if (line === undefined) return undefined;
  for (const member of Object.keys(line).filter((each) => each !== 'name' && each !== 'value')) {
    refuse(memberOf(place, member), 'member.unknown', 'This member is not known.');
  }
  const name = text(line['name'], memberOf(place, 'name'));
  const content = text(line['value'], memberOf(place, 'value'));
  if (name === undefined || content === undefined) return undefined;
  if (lowerCased(name) === 'host') {
    return refuse(memberOf(place, 'name'), 'request.header.host', 'Send the Host header as the authority.');
  }
  if (aboveByte.test(content)) {
    return refuse(memberOf(place, 'value'), 'request.header.bytes', 'Each character of this value should be one byte.');
  }
  return { name, value: content };
};

const clientAddress: Shape<ClientAddress> = (value, place) => {
  const written = text(value, place);
  if (written === undefined) return undefined;
  const address = parseIpAddress(written);
  return address.ok
    ? { text: formatIpAddress(address.value), key: addressKey(address.value) }
    : refuse(place, 'request.ip', 'This value should be an IPv4 or IPv6 address without a zone id or prefix.');
};

const countryText: Shape<string> = (value, place) => {
  const code = text(value, place)?.toUpperCase();
  if (code === undefined || countryCodes.has(code)) return code;
  return refuse(place, 'request.country', 'This value should be an assigned code of ISO 3166-1 alpha-2, XK, XX or T1.');
};

function unknownParts(given: JsonObject, place: Place): Pick<RequestFacts, 'headersUnknown' | 'cookiesUnknown'> {
  const at = memberOf(place, 'unknown');
  const named = given['unknown'] === undefined ? [] : (list(oneOf('headers', 'cookies'))(given['unknown'], at) ?? []);
  const cookiesUnknown = named.includes('cookies');
  if (cookiesUnknown && namesCookie(given['headers'])) {
    refuse(at, 'request.cookies.known', 'The Cookie header is given, so cookies cannot be unknown.');
  }
  return { headersUnknown: named.includes('headers'), cookiesUnknown };
}

const namesCookie = (headers: unknown): boolean =>
  Array.isArray(headers) &&
  headers.some((line: { readonly name?: unknown } | null | undefined) => {
    const name = line?.name;
    return typeof name === 'string' && lowerCased(name) === 'cookie';
  });
