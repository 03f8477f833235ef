import { parseFacts, type RequestFacts } from '@zonewright/engine';
import * as fc from 'fast-check';
import { canonicalRequest } from '../../engine/src/request/canonical-request.ts';
import { okOf } from '../../engine/test/outcomes.ts';
import { all, any } from '../../engine/test/zones.ts';

type Members = Readonly<Record<string, unknown>>;

/** How a zone reads paths. */
export const reading = fc.constantFrom({}, { pathNormalization: 'rfc3986' });

/** Texts over few characters, so that conditions and requests often match. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.'), maxLength: 3 });
const path = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'a.css', 'b.JS', '%2F', '%', '..', '%41', '', '..;'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((segments) => `/${segments.join('/')}`);
const query = fc
  .array(fc.constantFrom('p=a', 'p=b', 'p', 'q=ab', 'q==', '', 'p=%61', '?'), { maxLength: 3 })
  .map((parts) => parts.join('&'));
const host = fc.constantFrom('a.b', 'b.a', 'www.example.com', 'a', '[::1]');
const pattern = fc.constantFrom('^/a', 'b$', 'a+', '^(?:/[ab]+)+$', '\\bb', '[^a]', 'a|b', '\\.css$', '^[^/]');
const text = fc.oneof(word, fc.constantFrom('a', 'b', 'ab', '/a', '/'));
const ips = fc.constantFrom('192.0.2.1', '192.0.2.0/24', '192.0.0.0/16', '2001:db8::/32', '::ffff:192.0.2.1', '::/0');

const textOperators = ['equals', 'contains', 'starts_with', 'ends_with', 'matches', 'matches_ci', 'in'] as const;
const negations = fc.constantFrom('', 'not_');

/** A condition on a text field, as `field operator value`. */
const textLeaf = (field: string, values: fc.Arbitrary<string>, operators: readonly string[] = textOperators) =>
  fc
    .tuple(negations, fc.constantFrom(...operators), values, values, pattern)
    .map(([not, operator, one, other, like]) => {
      if (operator === 'exists') return `${field} ${not}exists`;
      if (operator.startsWith('matches')) return `${field} ${not}${operator} ${like}`;
      return `${field} ${not}${operator} ${operator === 'in' ? `${one}\n${other}` : one}`;
    });

const optional = [...textOperators, 'exists'];
const choice = ['equals', 'in'];

/** A condition on any request field, in the tests' short form. */
const leaf: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: textLeaf('uri', fc.oneof(path, text)) },
  { weight: 2, arbitrary: textLeaf('query', fc.oneof(query, text)) },
  textLeaf(
    'url',
    fc.tuple(host, path).map(([of, at]) => `https://${of}${at}`),
  ),
  textLeaf('url', text, ['contains', 'ends_with', 'matches']),
  { weight: 2, arbitrary: textLeaf('queryParam:p', text, optional) },
  { weight: 2, arbitrary: textLeaf('header:x-a', text, optional) },
  { weight: 2, arbitrary: textLeaf('cookie:a', text, optional) },
  textLeaf('cookie:b', text, optional),
  textLeaf('header:cookie', fc.constantFrom('a=b', 'a=', 'b', '; a'), optional),
  textLeaf('userAgent', text, optional),
  textLeaf('contentType', fc.constantFrom('a/b', 'a', '/b', 'text/html'), [
    'equals',
    'contains',
    'ends_with',
    'exists',
  ]),
  textLeaf('extension', fc.constantFrom('css', 'js'), [...choice, 'exists']),
  textLeaf('host', host, ['equals', 'in', 'ends_with', 'starts_with', 'contains']),
  textLeaf('method', fc.constantFrom('GET', 'POST', 'OPTIONS'), choice),
  textLeaf('scheme', fc.constantFrom('http', 'https'), choice),
  textLeaf('country', fc.constantFrom('DE', 'FR'), choice),
  textLeaf('asn', fc.constantFrom('64500', '64501'), [...choice, 'exists']),
  { weight: 2, arbitrary: textLeaf('ip', ips, ['in']) },
);

/** Conditions of a rule. */
export const conditions = (maxLength = 3): fc.Arbitrary<Members> =>
  fc
    .tuple(fc.boolean(), fc.array(leaf, { minLength: 1, maxLength }))
    .map(([isAnd, texts]) => (isAnd ? all(...texts) : any(...texts)));

const headerLine = fc.oneof(
  text.map((value) => ({ name: 'X-A', value })),
  text.map((value) => ({ name: 'User-Agent', value })),
  fc.constantFrom('a=b', 'a=; b=a', 'a = ab ;b', ' a=a', 'b=b; a=b; a=a').map((value) => ({ name: 'Cookie', value })),
  fc
    .constantFrom('a/b', 'Text/HTML; q', 'a/b/c', 'a / b', '/b', 'a/b ;')
    .map((value) => ({ name: 'Content-Type', value })),
);

/** The facts of a complete request. */
export const request: fc.Arbitrary<Members> = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    authority: host,
    target: fc.tuple(path, query).map(([of, rest]) => (rest === '' ? of : `${of}?${rest}`)),
    method: fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'OPTIONS'),
    headers: fc.array(headerLine, { maxLength: 3 }),
    ip: fc.constantFrom('192.0.2.1', '192.0.3.1', '198.51.100.1', '2001:db8::1', '2001:db9::', '::ffff:192.0.2.9'),
    country: fc.constantFrom('DE', 'FR', 'XX'),
    asn: fc.constantFrom(64_500, 64_501, 1, null),
    status: fc.constantFrom(200, 404),
  })
  .chain((facts) => fc.constantFrom(facts, facts, facts, { ...facts, method: 'OPTIONS', target: '*' }));

const pool: RequestFacts[] = [];
const poolSize = 20_000;

/** Distinct requests that are not rejected, consecutive ones from a long list that is generated once. */
export const someFacts = (count: number): fc.Arbitrary<readonly RequestFacts[]> =>
  fc.nat(poolSize).map((start) => {
    const size = Math.min(poolSize, 20 * count);
    if (pool.length < size) {
      const facts = fc.sample(request, { numRuns: size, seed: 1 }).map((each) => okOf(parseFacts(each)));
      pool.splice(0, pool.length, ...facts.filter((each) => canonicalRequest(each, 'rfc3986').ok));
    }
    const from = start % Math.max(1, pool.length - count);
    return pool.slice(from, from + count);
  });
