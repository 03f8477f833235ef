/**
 * Version of the lists below. They are not stored in zones, and a data plane with different lists behaves differently,
 * so increment the version with every change.
 */
export const cacheConstantsVersion = 1;

/** A response header with cache tags, and the characters that separate them. */
export interface CacheTagHeader {
  readonly header: string;
  readonly delimiter: string;
}

/** The cache-tag headers of a new zone by default (interface, "Zone"). */
export const defaultCacheTagHeaders: readonly CacheTagHeader[] = [
  { header: 'X-Cache-Tags', delimiter: ',' },
  { header: 'Cache-Tag', delimiter: ',' },
  { header: 'Surrogate-Key', delimiter: ' ' },
  { header: 'xkey', delimiter: ' ' },
  { header: 'X-Magento-Tags', delimiter: ',' },
];

/** Path extensions (lower case) of the static class; everything else is dynamic. */
export const staticExtensions: ReadonlySet<string> = new Set(
  [
    'css js mjs map csv pdf zip gz br woff woff2 ttf otf eot ico png jpg jpeg gif webp avif svg bmp',
    'mp3 m4a ogg wav mp4 webm mov wasm',
  ].flatMap((extensions) => extensions.split(' ')),
);

/**
 * Query parameters of campaign and analytics tools, which do not affect the page: left out of cache keys if
 * `cachingManagedIgnoredUrlParamsEnabled` is true. A trailing `*` matches any suffix.
 */
export const managedIgnoredUrlParams: readonly string[] = [
  'utm_*',
  'gclid',
  'gclsrc',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'msclkid',
  'twclid',
  'yclid',
  'mc_cid',
  'mc_eid',
  '_ga',
  '_gl',
  '_hsenc',
  '_hsmi',
  'pk_*',
  'piwik_*',
  'mtm_*',
  'matomo_*',
];
