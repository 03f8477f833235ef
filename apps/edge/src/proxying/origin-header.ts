import { type HeaderOperation, type OriginAnswer, utf8 } from '@zonewright/engine';
import { authorityOf } from '../deciding/request-facts.ts';
import { endToEnd, fieldIn, without } from '../responses/header-lines.ts';
import type { Visit } from './visit.ts';

/** How this program names itself in `Via` (RFC 9110 section 7.6.3). */
const pseudonym = 'zonewright';
/** A request that has passed more edges than this is in a loop. */
const maxEdges = 8;

/** Whether a request has passed so many edges that its origin must be one of them. */
export const isForwardingLoop = ({ request }: Visit): boolean =>
  request.headers.via !== undefined && request.headers.via.split(pseudonym).length > maxEdges;

/** Fields that the edge writes itself, or that only concern the connection of the client. */
const own: readonly string[] = [
  'host',
  'expect',
  'via',
  'forwarded',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/** Programs behind CGI and its descendants read `_` in names as `-` (RFC 3875 section 4.1.18). */
const spellingsOf = (name: string): readonly string[] => {
  const [first = '', ...rest] = name.split('-');
  return rest.reduce<readonly string[]>(
    (spellings, part) => spellings.flatMap((each) => [`${each}-${part}`, `${each}_${part}`]),
    [first],
  );
};
const ownSpellings = own.flatMap(spellingsOf);

interface PreparedHeader {
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
  const setNames = new Set(set.map(({ name }) => name.toLowerCase()));
  const dropped = new Set([...ownSpellings, ...remove.map((name) => name.toLowerCase()), ...setNames]);
  const made = { dropped, setNames, set: set.flatMap(({ name, value }) => [name, utf8(value)]) };
  all.set(key, made);
  return made;
}

/**
 * The header that the origin gets: that of the client without what concerns only its connection, after the operations
 * of the zone, and who asked for what. What the client itself says of that is left out, unless it is a trusted proxy.
 */
export function originHeader({ request, client }: Visit, host: string, headers: OriginAnswer['headers']): string[] {
  const { dropped, setNames, set } = headerOf(headers ?? {});
  const { rawHeaders, httpVersion } = request;
  const via = fieldIn(rawHeaders, 'via');
  const hop = `${httpVersion} ${pseudonym}`;
  const forwardingFields = [
    ['X-Forwarded-For', client.forwardedFor],
    ['X-Forwarded-Proto', client.scheme],
    ['X-Forwarded-Host', authorityOf(request)],
    ['Via', via === undefined ? hop : `${via}, ${hop}`],
  ] as const;
  const lines = without(endToEnd(rawHeaders), dropped);
  for (const [name, value] of forwardingFields) if (!setNames.has(name.toLowerCase())) lines.push(name, value);
  lines.push(...set);
  return ['Host', host, ...lines];
}
