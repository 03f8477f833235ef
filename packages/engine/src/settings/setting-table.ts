import { pathNormalizations } from '../request/request-target.ts';
import { flag, integer, list, oneOf, record, type Shape, text, type Valid, withDefault } from '../shapes.ts';
import { type CacheTagHeader, defaultCacheTagHeaders } from './cache-constants.ts';

/** The shape of a settings key's values, and its default. */
interface Setting<T, Default extends T | null = T | null> {
  readonly shape: Shape<T>;
  /** Null: no value by default. */
  readonly default: Default;
}

const setting = <T>(shape: Shape<T>, value: T): Setting<T, T> => ({ shape, default: value });
const optional = <T>(shape: Shape<T>): Setting<T, null> => ({ shape, default: null });
/** An object whose members all have defaults. Throws at start-up if one has none. */
const object = <T>(shape: Shape<T>): Setting<T, T> => {
  const value = shape({}, { path: '', problems: [] });
  if (value === undefined) throw new Error('A member has no default.');
  return setting(shape, value);
};

const on = setting(flag, true);
const off = setting(flag, false);
const number = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const texts = list(text);
const noTexts = setting(texts, []);
const headerOperation = record({ name: text, value: text });
/** A header to set or add. */
export type HeaderOperation = Valid<typeof headerOperation>;
const headerOperations = setting(list(headerOperation), []);

const cacheTagHeader: Shape<CacheTagHeader> = record({ header: text, delimiter: text });

const dynamicCacheKey = record({
  uri: withDefault(flag, true),
  varyByHostname: withDefault(flag, true),
  varyByCookie: withDefault(texts, []),
  varyByCountry: withDefault(flag, false),
  varyByHeader: withDefault(texts, []),
});

const staticCacheKey = record({
  uri: withDefault(flag, true),
  varyByHostname: withDefault(flag, true),
  varyByQueryString: withDefault(texts, []),
});

const basicAuth = record({ enabled: withDefault(flag, false), allowedUserIds: withDefault(texts, []) });

const backendReference = record({ type: oneOf('origin_server', 'load_balancer', 'origin'), id: text });

const image = {
  imageOptimizationEnabled: on,
  imageOptimizationWebpEnabled: on,
  imageOptimizationAvifEnabled: on,
  imageOptimizationJpegEnabled: off,
  imageOptimizationPngEnabled: off,
  imageOptimizationAvifQuality: setting(number, 50),
  imageOptimizationWebpQuality: setting(number, 50),
  imageOptimizationJpegQualityTarget: setting(number, 85),
  imageOptimizationJpegQualityMin: setting(number, 40),
  imageOptimizationJpegQualityMax: setting(number, 98),
  imageOptimizationPngQualityMin: setting(number, 65),
  imageOptimizationPngQualityMax: setting(number, 80),
} as const;

const pages = {
  customPagesErrorEnabled: off,
  customPagesSecurityEnabled: off,
  customPagesChallengeEnabled: off,
  customPagesErrorHtml: optional(text),
  customPagesSecurityHtml: optional(text),
  customPagesChallengeHtml: optional(text),
  customPagesMaintenanceHtml: optional(text),
} as const;

const caching = {
  cachingDynamicEnabled: off,
  cachingStaticEnabled: off,
  cachingRespectCacheControl: on,
  cachingManagedIgnoredUrlParamsEnabled: on,
  cachingDynamicCacheKey: object(dynamicCacheKey),
  cachingStaticCacheKey: object(staticCacheKey),
  cachingDefaultTtl: setting(number, 604_800),
  cacheControlPublicMaxAgeOverride: optional(number),
  cachingIgnoredUrlParams: noTexts,
  cachingIgnoredCacheTags: noTexts,
  cachingAdditionalContentTypes: noTexts,
  cachingCustomCacheTagHeaders: setting(list(cacheTagHeader), defaultCacheTagHeaders),
  stripCacheTagHeaders: on,
  staleWhileRevalidateSeconds: setting(number, 0),
  staleIfErrorSeconds: setting(number, 0),
} as const;

/** All keys of zone settings. Only the shape of values is checked: their limits are enforced on writes. */
export const settingTable = {
  enabled: on,
  defaultBackend: optional(backendReference),
  backendPortOverride: optional(number),
  basicAuth: object(basicAuth),
  securityEnabled: on,
  underAttack: off,
  customPagesMaintenanceActive: off,
  processingSsi: off,
  processingEsi: off,
  minifyHtml: off,
  debugHeadersEnabled: off,
  pathNormalization: setting(oneOf(...pathNormalizations), 'strict'),
  headersRequestSet: headerOperations,
  headersResponseSet: headerOperations,
  headersResponseAdd: headerOperations,
  headersResponseRemove: noTexts,
  ...caching,
  ...image,
  ...pages,
} as const;

/** A settings key. */
export type SettingKey = keyof typeof settingTable;

type Table = typeof settingTable;

/** The type of a key's values; null if a zone may have none. */
export type SettingValue<K extends SettingKey> =
  Table[K] extends Setting<infer T, infer Default> ? T | Extract<Default, null> : never;

/** A value for every key. */
export type Settings = { readonly [K in SettingKey]: SettingValue<K> };

/** Values for some keys. */
export type SomeSettings = { readonly [K in SettingKey]?: SettingValue<K> };

/** All keys, sorted. */
export const settingKeys: readonly SettingKey[] =
  // `Object.keys` loses the key type.
  (Object.keys(settingTable) as SettingKey[]).toSorted();

/** The settings of a zone created without any. */
export const defaultSettings: Settings = Object.fromEntries(
  settingKeys.map((key) => [key, settingTable[key].default]),
  // `Object.fromEntries` loses the type of each key's value.
) as unknown as Settings;

const keys: ReadonlySet<string> = new Set(settingKeys);

/** Whether there is a settings key with this name. */
export const isSettingKey = (name: string): name is SettingKey => keys.has(name);
