import { expect } from 'chai';
import * as fc from 'fast-check';
import { leafTest } from '../../src/conditions/leaf-test.ts';
import { subjectOf } from '../../src/conditions/subjects.ts';
import { type BaseOperator, canonicalValue, type FieldName, fieldOperators, parseFacts } from '../../src/index.ts';
import { type CanonicalRequest, canonicalRequest } from '../../src/request/canonical-request.ts';

import { resourcesOf } from '../patterns/resources.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Generates values of a field, and the request whose subject is a text. No text contains an `x`. */
interface Sample {
  readonly values: (operator: BaseOperator) => fc.Arbitrary<string>;
  readonly facts: (subject: string) => Facts;
}

const joined = (units: readonly string[], separator = '') =>
  fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(separator));
const beginning = (starts: readonly string[], rest: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...starts), rest).map((parts) => parts.join(''));
const oneOf = (...values: readonly string[]) => fc.constantFrom(...values);

const inUrls = ['a', '%61', 'A', '%7e', '~', '%', '2', 'ä', '%c3%A4', ' ', '%20', '%2f', '%2F'];
const paths = [...inUrls, '/', '/.', '/..', '.', '/%2e'];
const texts = ['a', 'A', ' ', 'ä', '=', 'b, '];
const labels = ['a', 'A', 'b', 'a-b'];
const isWhole = (operator: BaseOperator) => operator === 'equals' || operator === 'in';
const header = (name: string) => (value: string) => ({ headers: [{ name, value }] });

const hosts = (operator: BaseOperator) =>
  fc
    .tuple(
      oneOf(...(isWhole(operator) || operator === 'starts_with' ? [''] : ['', '.'])),
      joined(labels, '.'),
      oneOf('', '.'),
    )
    .map((parts) => parts.join(''));

const samples: Partial<Record<FieldName, Sample>> = {
  uri: {
    values: (operator) =>
      isWhole(operator) || operator === 'starts_with' ? beginning(['/'], joined(paths)) : joined(paths),
    facts: (target) => ({ target }),
  },
  query: { values: () => joined([...inUrls, '&', '=']), facts: (text) => ({ target: `/?${text}` }) },
  queryParam: { values: () => joined([...inUrls, '=']), facts: (text) => ({ target: `/?p=${text}` }) },
  url: {
    values: (operator) =>
      isWhole(operator) || operator === 'starts_with'
        ? beginning(
            ['https://a', 'HTTPS://A.', 'http://b/', 'https://a?', 'https://a/?'],
            fc.oneof(fc.constant(''), beginning(['/', '/a'], joined(paths))),
          )
        : beginning(['a', '%61'], joined(inUrls)),
    facts: (text) => ({ url: text.startsWith('http') ? text : `https://w/x${text}` }),
  },
  header: { values: () => joined(texts), facts: header('p') },
  cookie: { values: () => joined(texts), facts: (text) => header('cookie')(`p=${text}`) },
  host: { values: hosts, facts: (authority) => ({ authority }) },
  contentType: {
    values: (operator) =>
      isWhole(operator) ? oneOf('a/b', 'A/b', 'b/a', 'a/ab') : oneOf('a', 'B', 'a/b', 'A/B', 'ab'),
    facts: header('content-type'),
  },
  extension: { values: () => oneOf('css', 'CSS', 'js', 'a1'), facts: (text) => ({ target: `/.${text}` }) },
  country: { values: () => oneOf('DE', 'de', 'fr', 'T1'), facts: (country) => ({ country }) },
  scheme: { values: () => oneOf('http', 'HTTP', 'https'), facts: (scheme) => ({ scheme }) },
  method: { values: () => oneOf('GET', 'PUT', 'POST'), facts: (method) => ({ method }) },
  asn: { values: () => oneOf('1', 'AS1', 'as12', '12'), facts: (text) => ({ asn: Number(text) }) },
  ip: { values: () => oneOf('::1', '0::1', '192.0.2.1', '::ffff:192.0.2.1', '::'), facts: (ip) => ({ ip }) },
};

/** What surrounds a text in subjects: nothing, or characters that no text contains. */
const around = ['', 'x', '/', '/x', 'x/'].flatMap((before) => ['', 'x', '/x'].map((after) => [before, after] as const));

const elsewhere = { scheme: 'https', authority: 'w', target: '/' };

/** The valid requests whose subjects contain the text, with and without surroundings. */
const requestsFrom = (text: string, factsOf: Sample['facts']): readonly CanonicalRequest[] =>
  around.flatMap(([before, after]) => {
    const facts = factsOf(before + text + after);
    const parsed = parseFacts('url' in facts ? facts : { ...elsewhere, ...facts });
    const request = parsed.ok ? canonicalRequest(parsed.value, 'rfc3986') : parsed;
    return request.ok ? [request.value] : [];
  });

/** Whether a condition holds for a request, by field and operator. */
const conditionOf = (field: FieldName, operator: BaseOperator, value: string) => {
  const fits = leafTest(field, operator, { value }, resourcesOf());
  return (request: CanonicalRequest) =>
    (subjectOf(field, 'p', { request, address: request }) ?? []).some((text) => fits(text, request));
};

const isCompared = (operator: BaseOperator) => operator !== 'exists' && !operator.startsWith('matches');

/** Pairs of values of one operator. */
const pairsOf = (field: FieldName, values: Sample['values']) =>
  fc.constantFrom(...fieldOperators[field].filter(isCompared)).chain((operator) => {
    const single = values(operator);
    const lists = fc.array(single, { minLength: 1, maxLength: 2 }).map((all) => all.join('\n'));
    const value = operator === 'in' ? lists : single;
    return fc.record({ operator: fc.constant(operator), one: value, other: value });
  });

describe('the canonical form decides equality', () => {
  const seen = new Set<boolean>();
  after(() => expect([...seen]).to.have.members([true, false]));

  for (const [name, { values, facts }] of Object.entries(samples)) {
    const field = name as FieldName; // The keys of `samples` are fields.
    it(`of values of ${field}: they differ if and only if a request distinguishes them`, () => {
      fc.assert(
        fc.property(pairsOf(field, values), ({ operator, one, other }) => {
          const [first, second] = [one, other].map((each) => canonicalValue(field, operator, each));
          fc.pre(first?.unmatchable.length === 0 && second?.unmatchable.length === 0);
          const [a, b] = [conditionOf(field, operator, one), conditionOf(field, operator, other)];
          const written = `${one}\n${other}`.split('\n');
          const subjects = new Set([...written, ...first.texts, ...second.texts]);
          const requests = [...subjects].flatMap((text) => requestsFrom(text, facts));
          const isToldApart = requests.some((request) => a(request) !== b(request));
          if (one !== other) seen.add(isToldApart);
          expect(isToldApart).to.equal(first.texts.join('\n') !== second.texts.join('\n'));
        }),
        { numRuns: 100 },
      );
    });
  }
});
