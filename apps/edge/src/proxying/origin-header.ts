import { type HeaderOperation, type OriginAnswer, utf8 } from '@zonewright/engine';
import { authorityOf } from '../deciding/request-facts.ts';
import { connectionFields, fieldIn, namedByConnection } from '../responses/header-lines.ts';
import type { ForwardingLoops } from './forwarding-loops.ts';
import type { Visit } from './visit.ts';

/** How this program names itself in `Via` (RFC 9110 section 7.6.3). */
const pseudonym = 'zonewright';

/** Fields that the edge writes itself, whatever the zone says; the service refuses settings that name them. */
const settled: ReadonlySet<string> = new Set(['via', 'cdn-loop', 'x-forwarded-for', 'x-forwarded-proto']);

/** Fields that the edge writes itself, that concern only the connection of the client, or that no program should send. */
const own: readonly string[] = [
  ...connectionFields,
  ...settled,
  'host',
  'expect',
  'x-forwarded-host',
  // Read as HTTP_PROXY by programs behind CGI ("httpoxy").
  'proxy',
];

/**
 * Fields by which servers and frameworks take another client, scheme, host, path or method for that of the request. They
 * are of no client, but of a proxy in front that is trusted. So are all that begin with `X-Forwarded`.
 */
const forwarding: ReadonlySet<string> = new Set([
  'forwarded',
  'x-forwarder-for',
  'x-forward-for',
  'front-end-https',
  'x-url-scheme',
  'x-scheme',
  'x-host',
  'x-http-host-override',
  'x-original-host',
  'x-original-method',
  'x-original-uri',
  'x-original-url',
  'x-original-forwarded-for',
  'x-rewrite-url',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'x-remote-ip',
  'x-remote-addr',
  'remote-addr',
  'x-originating-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-envoy-original-path',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-appengine-user-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'cf-visitor',
  'cloudfront-forwarded-proto',
  'cloudfront-viewer-address',
]);

/** Where programs behind CGI read `_` as `-` (RFC 3875 section 4.1.18), these would be joined with what the edge says. */
const framing: ReadonlySet<string> = new Set(['content-length', 'content-type', 'content-encoding']);

interface PreparedHeader {
  /** Names in lower case, with `-` for `_`. */
  readonly dropped: ReadonlySet<string>;
  readonly setNames: ReadonlySet<string>;
  readonly set: readonly string[];
}

const prepared = new WeakMap<readonly HeaderOperation[], Map<string, PreparedHeader>>();

/** The operations of requests that match the same rules are prepared once. */
function headerOf({ remove = [], set = [] }: Partial<NonNullable<OriginAnswer['headers']>>): PreparedHeader {
  const all = prepared.get(set) ?? new Map<string, PreparedHeader>();
  prepared.set(set, all);
  const key = remove.join();
  const before = all.get(key);
  if (before !== undefined) return before;
  const allowed = set.filter(({ name }) => !settled.has(name.toLowerCase()));
  const setNames = new Set(allowed.map(({ name }) => name.toLowerCase()));
  const dropped = new Set([...own, ...[...remove, ...setNames].map(plainSpelling)]);
  const made = { dropped, setNames, set: allowed.flatMap(({ name, value }) => [name, utf8(value)]) };
  all.set(key, made);
  return made;
}

/**
 * The header that the origin gets: that of the client without what concerns only its connection, after the operations
 * of the zone, and who asked for what. What the client itself says of that is left out, unless it is a trusted proxy.
 */
export function originHeader(
  { request, client }: Visit,
  host: string,
  headers: OriginAnswer['headers'],
  loops: ForwardingLoops,
): string[] {
  const { dropped, setNames, set } = headerOf(headers ?? {});
  const { rawHeaders, httpVersion } = request;
  const via = fieldIn(rawHeaders, 'via');
  const hop = `${httpVersion} ${pseudonym}`;
  const lines = ['Host', host];
  addPassed(lines, rawHeaders, (name) => dropped.has(name) || (!client.isTrusted && isForwarding(name)));
  lines.push('X-Forwarded-For', client.forwardedFor, 'X-Forwarded-Proto', client.scheme);
  // A zone that sets it itself has the last word.
  if (!setNames.has('x-forwarded-host')) lines.push('X-Forwarded-Host', authorityOf(request));
  lines.push('Via', via === undefined ? hop : `${via}, ${hop}`, 'CDN-Loop', loops.field(request));
  lines.push(...set);
  return lines;
}

/** Adds the lines that are passed on; `isDropped` gets names in lower case, with `-` for `_`. */
function addPassed(lines: string[], rawHeaders: readonly string[], isDropped: (name: string) => boolean): void {
  const named = namedByConnection(rawHeaders);
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const lower = name.toLowerCase();
    if (named?.has(lower) === true) continue;
    const plain = plainSpelling(lower);
    if (isDropped(plain) || (plain !== lower && framing.has(plain))) continue;
    lines.push(name, rawHeaders[at + 1] ?? '');
  }
}

const plainSpelling = (name: string): string => name.toLowerCase().replaceAll('_', '-');

const isForwarding = (name: string): boolean =>
  name.startsWith('x-forwarded-') || name === 'x-forwarded' || forwarding.has(name);
