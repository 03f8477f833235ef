import type { LoadBalancer, OriginServer } from '@zonewright/edge-protocol';
import * as fc from 'fast-check';
import { conditions, reading, request } from '../../../../packages/analysis/test/arbitraries.ts';
import { type EdgeDraft, originOn } from '../support/zones.ts';

type Members = Readonly<Record<string, unknown>>;

/** Header lines that operations, clients and origins share, so that they often meet. */
const names = fc.constantFrom('X-A', 'x-a', 'X-B', 'x-B', 'Cache-Tag', 'ETag', 'Vary');
const values = fc.constantFrom('', 'a', 'b, c', 'grün', '"q"');
const operation = fc.record({ name: names, value: values });

/** Operations as a zone may have them: the same name is set once. */
const operations = fc.uniqueArray(operation, { maxLength: 2, selector: ({ name }) => name.toLowerCase() });

const setting = (port: number): fc.Arbitrary<Members> =>
  fc.oneof(
    { weight: 4, arbitrary: operations.map((list) => ({ headersRequestSet: list })) },
    { weight: 3, arbitrary: operations.map((list) => ({ headersResponseSet: list })) },
    { weight: 3, arbitrary: fc.array(operation, { maxLength: 2 }).map((list) => ({ headersResponseAdd: list })) },
    { weight: 3, arbitrary: fc.uniqueArray(names, { maxLength: 2 }).map((list) => ({ headersResponseRemove: list })) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(null, 0, 60).map((seconds) => ({ cacheControlPublicMaxAgeOverride: seconds })),
    },
    fc.boolean().map((flag) => ({ stripCacheTagHeaders: flag })),
    { weight: 2, arbitrary: fc.boolean().map((flag) => ({ debugHeadersEnabled: flag })) },
    { weight: 2, arbitrary: fc.boolean().map((flag) => ({ cachingDynamicEnabled: flag })) },
    { weight: 2, arbitrary: fc.boolean().map((flag) => ({ cachingStaticEnabled: flag })) },
    fc.boolean().map((flag) => ({ enabled: flag })),
    fc.constantFrom(false, false, true).map((flag) => ({ basicAuth: { enabled: flag } })),
    fc.constantFrom(false, true).map((flag) => ({ customPagesMaintenanceActive: flag })),
    fc.constantFrom(null, port).map((number) => ({ backendPortOverride: number })),
    fc
      .constantFrom(
        { type: 'origin_server', id: 'origin-1' },
        { type: 'origin_server', id: 'origin-2' },
        { type: 'load_balancer', id: 'balancer' },
        { type: 'load_balancer', id: 'disabled' },
        { type: 'origin_server', id: 'gone' },
      )
      .map((reference) => ({ defaultBackend: reference })),
  );

const merged = (all: readonly Members[]): Members => Object.assign({}, ...all);

const servers = (port: number): readonly OriginServer[] => [
  originOn(port),
  originOn(port, { id: 'origin-2', requestHostname: 'two.example' }),
  originOn(port, { id: 'origin-3', requestHostname: 'three.example' }),
];

const balancer = (id: string, method: string, ...origins: LoadBalancer['origins']): LoadBalancer => ({
  kind: 'load_balancer',
  id,
  method,
  requestHostname: 'balanced.example',
  origins,
});

/** Zones whose backends are all on the port. `user` may pass basic auth. */
export const zones = (
  port: number,
  user: { readonly username: string; readonly hash: string },
): fc.Arbitrary<EdgeDraft> =>
  fc.record({
    hostnames: fc.constant(['any']),
    users: fc.constant({ 'user-1': user }),
    settings: fc
      .tuple(
        fc.array(setting(port), { maxLength: 4 }),
        reading,
        fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
      )
      .map(([list, read, underAttack]) => ({ ...merged(list), ...read, ...(underAttack ? { underAttack } : {}) })),
    access: fc.array(
      fc.record({
        conditions: conditions(2),
        action: fc.constantFrom('block', 'challenge', 'allow', 'skip', 'skip'),
        skipTargets: fc.constantFrom(['waf'], ['underAttack', 'scenarios']),
        stopOnMatch: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    rewrites: fc.array(
      fc.record({
        operator: fc.constantFrom('equals', 'starts_with', 'regex'),
        sourcePattern: fc.constantFrom('/a', '/a/', '/b', '/'),
        target: fc.constantFrom('/a', '/b', '/a/b', '/b?p=a', '/b//a', '/a%2Fb', 'https://b.example/ü?x#y'),
        type: fc.constantFrom('redirect', 'rewrite'),
        statusCode: fc.constantFrom(301, 302, 303, 307, 308),
        preserveQueryString: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    rules: fc.array(
      fc.record({
        conditions: conditions(2),
        stopOnMatch: fc.boolean(),
        settingsOverrides: fc.array(setting(port), { minLength: 1, maxLength: 3 }).map(merged),
      }),
      { maxLength: 6 },
    ),
    scenarios: fc.array(
      conditions(1).map((filter) => ({ filter })),
      { maxLength: 1 },
    ),
    backends: fc
      .constantFrom('random', 'round_robin', 'ip_hash', 'least_connections')
      .map((method) => [
        ...servers(port),
        balancer('balancer', method, { originServer: '/o/origin-1', weight: 3 }, { originServer: '/o/origin-3' }),
        balancer('disabled', method, { originServer: '/o/origin-1', enabled: false }),
      ]),
  });

/** What a client sends, and what is known of its address. */
export interface SentRequest {
  readonly scheme: 'http' | 'https';
  readonly authority: string;
  readonly target: string;
  readonly method: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly ip: string;
  readonly country: string;
  readonly asn: number | null;
  /** Of the origin's answer. */
  readonly status: number;
  /** Lines of the origin's answer. */
  readonly answer: readonly string[];
}

const answerLine = fc.oneof(
  fc.tuple(names, fc.constantFrom('o', '', 'private')),
  fc
    .constantFrom('public, max-age=5', 'private', 'no-store', 'max-age=1, PRIVATE', 'a="b, private"', 'private="a"')
    .map((value) => ['Cache-Control', value] as const),
  fc.constant(['Expires', 'Thu, 01 Jan 1970 00:00:00 GMT'] as const),
  fc.constant(['xkey', 'tag'] as const),
  fc.constant(['Set-Cookie', 'a=b'] as const),
);

const statuses = [201, 204, 206, 299, 300, 301, 302, 304, 307, 308, 404, 500];

/** Forms of targets besides those of the analysis. */
const targets = fc.oneof(
  { weight: 15, arbitrary: fc.constant(undefined) },
  fc.constantFrom('http://a.b/a?p=b', 'https://b.a', '/a b', '/a#b', '*', 'x', '/%c3%bc', '//a', '/b\\a'),
);

/** Requests that zones often tell apart. */
export const requests: fc.Arbitrary<SentRequest> = fc
  .record({
    facts: request,
    target: targets,
    authorization: fc.constantFrom(undefined, undefined, 'right', 'bearer'),
    status: fc.oneof({ weight: 2, arbitrary: fc.constant(200) }, fc.constantFrom(...statuses)),
    answer: fc.array(answerLine, { maxLength: 4 }).map((lines) => lines.flat()),
  })
  .map(({ facts, target, authorization, status, answer }) => {
    // The generator makes facts of this form.
    const given = facts as unknown as Omit<SentRequest, 'answer' | 'status'>;
    const { status: _, ...rest } = given as unknown as Members;
    return {
      ...(rest as unknown as Omit<SentRequest, 'answer' | 'status'>),
      target: target ?? given.target,
      headers: [
        ...given.headers,
        ...(authorization === undefined ? [] : [{ name: 'Authorization', value: authorization }]),
      ],
      status,
      answer,
    };
  });
