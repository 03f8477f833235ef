import { isSecret, shownSecret } from '../conditions/request-subjects.ts';
import { subjectOf } from '../conditions/subjects.ts';
import { memoized } from '../memoized.ts';
import type { Mutable } from '../mutable.ts';
import type { CanonicalRequest } from '../request/canonical-request.ts';
import { parametersOf } from '../request/parameters.ts';
import { urlText } from '../request/request-target.ts';
import type { Address } from '../rewrites/target.ts';
import { managedIgnoredUrlParams } from '../settings/cache-constants.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { SettingValue } from '../settings/setting-table.ts';

/** The class of the requested object. */
export type CacheClass = 'static' | 'dynamic';

/** A part of a key as shown in an evaluation. */
export interface KeyPart {
  readonly part: 'class' | 'scheme' | 'host' | 'path' | 'query' | 'cookie' | 'country' | 'header';
  /** Of the cookie or header. */
  readonly name?: string;
  /** `absent` (the cookie or header was not sent) is different from empty. */
  readonly state: 'present' | 'absent' | 'unknown';
  /** Only if present; possible secrets are shown by their length in bytes. */
  readonly value?: string | { readonly length: number };
}

/** The cache key in an evaluation. */
export interface CacheKey {
  readonly parts: readonly KeyPart[];
  /** Hash of the serialized parts with their real values; absent if one is unknown, or without a hash function. */
  readonly sha256?: string;
}

/** A part with its real value; undefined: unknown, null: absent. */
interface Part {
  readonly part: KeyPart['part'];
  readonly name?: string;
  readonly value: string | null | undefined;
  readonly isSecret: boolean;
}

/** The request to cache. */
export interface CachedRequest {
  readonly request: CanonicalRequest;
  readonly address: Address;
  readonly class: CacheClass;
}

/** The SHA-256 of a byte string (one character per byte), in lower-case hexadecimal. */
export type Sha256 = (bytes: string) => string;

/** The key of a request; undefined if a setting that affects it has several possible values. */
export function cacheKey(
  cached: CachedRequest,
  settings: EffectiveSettings,
  sha256: Sha256 | undefined,
): CacheKey | undefined {
  const ignored = settings.one('cachingIgnoredUrlParams');
  const isManaged = settings.one('cachingManagedIgnoredUrlParamsEnabled');
  const members =
    cached.class === 'static' ? settings.one('cachingStaticCacheKey') : settings.one('cachingDynamicCacheKey');
  if (ignored === undefined || isManaged === undefined || members === undefined) return undefined;
  const isIgnored = isManaged ? ignoredOrManaged(ignored) : ignoredOnly(ignored);
  const parts = [
    plain('class', cached.class),
    // The origin is told the scheme: a stored redirect from http to https would never end.
    plain('scheme', cached.request.scheme),
    ...(members.varyByHostname ? [plain('host', cached.request.host)] : []),
    ...(members.uri ? [plain('path', cached.address.path), plain('query', keptQuery(cached, members, isIgnored))] : []),
    ...('varyByCookie' in members ? dynamicParts(cached, members) : []),
  ];
  return { parts: parts.map(shown), ...(sha256 === undefined ? {} : hashOf(parts, sha256)) };
}

const hashOf = (parts: readonly Part[], sha256: Sha256): Pick<CacheKey, 'sha256'> =>
  parts.some(({ value }) => value === undefined) ? {} : { sha256: sha256(parts.map(serialized).join('')) };

const plain = (part: KeyPart['part'], value: string | null | undefined): Part => ({ part, value, isSecret: false });

type DynamicMembers = SettingValue<'cachingDynamicCacheKey'>;
type Members = DynamicMembers | SettingValue<'cachingStaticCacheKey'>;

function dynamicParts(cached: CachedRequest, { varyByCookie, varyByCountry, varyByHeader }: DynamicMembers): Part[] {
  const headers = varyByHeader.map((name) => name.toLowerCase());
  return [
    ...varyByCookie.toSorted(byBytes).map((name) => named('cookie', name, cached)),
    ...(varyByCountry ? [plain('country', cached.request.facts.country)] : []),
    ...headers.toSorted(byBytes).map((name) => named('header', name, cached)),
  ];
}

/** Uses the first value. */
function named(part: 'cookie' | 'header', name: string, { request, address }: CachedRequest): Part {
  const subject = subjectOf(part, name, { request, address });
  const value = subject === undefined ? undefined : (subject[0] ?? null);
  return { part, name, value, isSecret: isSecret(part, name) };
}

const byBytes = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const noNames: ReadonlySet<string> = new Set();

/** The parameters that are part of the key, sorted by name; equal names keep their order. */
function keptQuery({ address }: CachedRequest, members: Members, isIgnored: (name: string) => boolean): string {
  const only = 'varyByQueryString' in members ? namesOf(members.varyByQueryString) : noNames;
  return parametersOf(address)
    .filter(({ name }) => (only.size > 0 ? only.has(name) : !isIgnored(name)))
    .toSorted((one, other) => byBytes(one.name, other.name))
    .map(({ text }) => text)
    .join('&');
}

type NameTest = (name: string) => boolean;

/** Matches names against entries; a trailing `*` matches any suffix. */
function nameTest(entries: readonly string[]): NameTest {
  const names = entries.map(urlText);
  const beginnings = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const whole = new Set(names);
  return (name) => whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}

// Configurations reuse the same lists.
const ignoredOnly = memoized(nameTest);
const ignoredOrManaged = memoized((ignored: readonly string[]) => nameTest([...ignored, ...managedIgnoredUrlParams]));
const namesOf = memoized((names: readonly string[]) => new Set(names.map(urlText)));

function serialized({ part, name, value }: Part): string {
  const text = `${part}${name === undefined ? '' : `:${name}`}${typeof value === 'string' ? `=${value}` : ''}`;
  return `${text.length}:${text},`;
}

function shown({ part, name, value, isSecret: secret }: Part): KeyPart {
  const state = value === undefined ? 'unknown' : value === null ? 'absent' : 'present';
  const answer: Mutable<KeyPart> = name === undefined ? { part, state } : { part, name, state };
  if (typeof value === 'string') answer.value = secret ? shownSecret(value) : value;
  return answer;
}
