import { type AddressKey, addressKey } from '../addresses/address-set.ts';
import { formatIpAddress, parseIpAddress } from '../addresses/ip-address.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import {
  integer,
  type JsonObject,
  type Location,
  list,
  memberOf,
  object,
  oneOf,
  type Problem,
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
  /** In upper case; null: nothing assigns countries to clients; undefined: unknown. */
  readonly country: string | null | undefined;
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
  const location: Location = { path: '', problems };
  const given = object(input, location);
  if (given === undefined) return failure(problems);
  const optional = <T>(member: string, shape: Shape<T>): T | undefined =>
    given[member] === undefined ? undefined : shape(given[member], memberOf(location, member));
  for (const name of Object.keys(given).filter((each) => !members.includes(each))) {
    refuse(memberOf(location, name), 'member.unknown', 'This member is not known.');
  }
  const { scheme, authority, target } = addressed(given, location);
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
    ...unknownParts(given, location),
  };
  return problems.length > 0 ? failure(problems) : success(facts);
}

type Addressed = Pick<RequestFacts, 'scheme' | 'authority' | 'target'>;
const parts = ['scheme', 'authority', 'target'] as const;
const urlParts = /^(https?):\/\/([^/?#]*)([^]*)$/i;
const nowhere: Addressed = { scheme: 'https', authority: '', target: '/' };

function addressed(given: JsonObject, location: Location): Addressed {
  const written = parts.filter((part) => given[part] !== undefined);
  const url = memberOf(location, 'url');
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
    oneOf('http', 'https')(given['scheme'], memberOf(location, 'scheme')),
    text(given['authority'], memberOf(location, 'authority')),
    text(given['target'], memberOf(location, 'target')),
  ];
  return { scheme: scheme ?? nowhere.scheme, authority: authority ?? '', target: target ?? '/' };
}

function partsOfUrl(value: unknown, location: Location): Addressed {
  const url = text(value, location);
  if (url === undefined) return nowhere;
  const [, scheme, authority = '', rest = ''] = urlParts.exec(url) ?? [];
  if (scheme === undefined) {
    refuse(location, 'request.url', 'This value should start with http:// or https://.');
    return nowhere;
  }
  return {
    scheme: scheme.length === 4 ? 'http' : 'https',
    authority,
    target: rest.startsWith('/') ? rest : `/${rest}`,
  };
}

const aboveByte = /[^\0-\xff]/;

const headerLine: Shape<HeaderLine> = (value, location) => {
  const line = object(value, location);
  if (line === undefined) return undefined;
  for (const member of Object.keys(line).filter((each) => each !== 'name' && each !== 'value')) {
    refuse(memberOf(location, member), 'member.unknown', 'This member is not known.');
  }
  const name = text(line['name'], memberOf(location, 'name'));
  const content = text(line['value'], memberOf(location, 'value'));
  if (name === undefined || content === undefined) return undefined;
  if (lowerCased(name) === 'host') {
    return refuse(memberOf(location, 'name'), 'request.header.host', 'Send the Host header as the authority.');
  }
  if (aboveByte.test(content)) {
    return refuse(
      memberOf(location, 'value'),
      'request.header.bytes',
      'Each character of this value should be one byte.',
    );
  }
  return { name, value: content };
};

const clientAddress: Shape<ClientAddress> = (value, location) => {
  const written = text(value, location);
  if (written === undefined) return undefined;
  const address = parseIpAddress(written);
  return address.ok
    ? { text: formatIpAddress(address.value), key: addressKey(address.value) }
    : refuse(location, 'request.ip', 'This value should be an IPv4 or IPv6 address without a zone id or prefix.');
};

const countryText: Shape<string> = (value, location) => {
  const code = text(value, location)?.toUpperCase();
  if (code === undefined || countryCodes.has(code)) return code;
  return refuse(
    location,
    'request.country',
    'This value should be an assigned code of ISO 3166-1 alpha-2, XK, XX or T1.',
  );
};

function unknownParts(given: JsonObject, location: Location): Pick<RequestFacts, 'headersUnknown' | 'cookiesUnknown'> {
  const at = memberOf(location, 'unknown');
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
