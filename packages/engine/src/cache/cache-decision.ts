import { extensionOf, headerSubject } from '../conditions/subjects.ts';
import { and, not, or, type Tri, triOf } from '../conditions/tri.ts';
import { memoized } from '../memoized.ts';
import type { CanonicalRequest } from '../request/canonical-request.ts';
import type { Address } from '../rewrites/target.ts';
import { staticExtensions } from '../settings/cache-constants.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import { type CacheClass, type CacheKey, cacheKey, type Sha256 } from './cache-key.ts';

/** Why a request is neither served from the cache nor its response stored. */
export type CacheBlocker = 'disabled' | 'method' | 'authorization' | 'classDisabled' | 'ttl';

/** The cache decision in an evaluation. */
export interface CacheDecision {
  readonly class: CacheClass | 'unknown';
  readonly eligible: Tri;
  /** Those that certainly apply. */
  readonly reasons: readonly CacheBlocker[];
  /** This and the following are absent if `eligible` is false. */
  readonly ttl?: CacheTtl;
  /** Media types of the dynamic class that are stored. */
  readonly contentTypes?: readonly string[];
  readonly key?: CacheKey;
}

/** How long a response is stored. */
export interface CacheTtl {
  /** Who decides: the origin (with `seconds` as the fallback), or only the setting. */
  readonly source: 'origin' | 'setting' | 'unknown';
  readonly seconds?: number;
}

/** A request that no earlier phase has ended, as cache and origin see it. */
export interface PassedRequest {
  readonly request: CanonicalRequest;
  /** Path and query after rewrites; undefined: unknown. */
  readonly address: Address | undefined;
  readonly settings: EffectiveSettings;
  readonly basicAuthRequired: Tri;
}

/** Whether a request may be served from the cache, and under which key. */
export function cacheDecision(question: PassedRequest, sha256: Sha256 | undefined): CacheDecision {
  const { request, address, settings } = question;
  const cacheClass = address === undefined ? 'unknown' : classOf(address);
  const blockers = blockersOf(question, cacheClass);
  const eligible = not(or(...blockers.map(([, blocks]) => blocks)));
  const reasons = blockers.filter(([, blocks]) => blocks === 'true').map(([blocker]) => blocker);
  if (eligible === 'false') return { class: cacheClass, eligible, reasons };
  const key =
    address === undefined || cacheClass === 'unknown'
      ? undefined
      : cacheKey({ request, address, class: cacheClass }, settings, sha256);
  const contentTypes = cacheClass === 'dynamic' ? contentTypesOf(settings) : undefined;
  return {
    class: cacheClass,
    eligible,
    reasons,
    ttl: ttlOf(settings),
    ...(contentTypes === undefined ? {} : { contentTypes }),
    ...(key === undefined ? {} : { key }),
  };
}

const classOf = ({ path }: Address): CacheClass =>
  staticExtensions.has(extensionOf(path) ?? '') ? 'static' : 'dynamic';

/** Whether the origin gets an `Authorization` of the client. If basic auth is required, the edge consumes it. */
export function passesAuthorization({ request, basicAuthRequired }: PassedRequest): Tri {
  const authorization = headerSubject(request, 'authorization');
  const sent = authorization === undefined ? 'unknown' : triOf(authorization.length > 0);
  return and(sent, not(basicAuthRequired));
}

function blockersOf(
  question: PassedRequest,
  cacheClass: CacheClass | 'unknown',
): readonly (readonly [CacheBlocker, Tri])[] {
  const { request, settings } = question;
  return [
    ['disabled', not(settings.isOn('enabled'))],
    ['method', triOf(request.method !== 'GET' && request.method !== 'HEAD')],
    ['authorization', passesAuthorization(question)],
    ['classDisabled', not(classEnabled(settings, cacheClass))],
    [
      'ttl',
      and(
        not(settings.isOn('cachingRespectCacheControl')),
        settings.holds('cachingDefaultTtl', (seconds) => seconds === 0),
      ),
    ],
  ];
}

function classEnabled(settings: EffectiveSettings, cacheClass: CacheClass | 'unknown'): Tri {
  const dynamicEnabled = settings.isOn('cachingDynamicEnabled');
  const staticEnabled = settings.isOn('cachingStaticEnabled');
  if (cacheClass === 'dynamic') return dynamicEnabled;
  if (cacheClass === 'static') return staticEnabled;
  return dynamicEnabled === staticEnabled ? dynamicEnabled : 'unknown';
}

const ttlSources = { true: 'origin', false: 'setting', unknown: 'unknown' } as const;

const ttlOf = memoized((settings: EffectiveSettings): CacheTtl => {
  const source = ttlSources[settings.isOn('cachingRespectCacheControl')];
  const seconds = settings.one('cachingDefaultTtl');
  return seconds === undefined ? { source } : { source, seconds };
});

const withHtml = memoized((additional: readonly string[]): readonly string[] => [
  ...new Set(['text/html', ...additional.map((type) => type.toLowerCase())]),
]);

function contentTypesOf(settings: EffectiveSettings): readonly string[] | undefined {
  const additional = settings.one('cachingAdditionalContentTypes');
  return additional && withHtml(additional);
}
