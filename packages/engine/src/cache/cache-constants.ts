/**
 * Fixed lists of the cache. Zones do not store them, so a data plane that was built with other lists behaves
 * differently: raise the version with every change.
 */
export const cacheConstantsVersion = 1;

/** A response header that carries cache tags, and the characters between two of them. */
export interface CacheTagHeader {
  readonly header: string;
  readonly delimiter: string;
}

/** The cache-tag headers a new zone gets unless the body lists others (interface, "Zone"). */
export const defaultCacheTagHeaders: readonly CacheTagHeader[] = [
  { header: 'X-Cache-Tags', delimiter: ',' },
  { header: 'Cache-Tag', delimiter: ',' },
  { header: 'Surrogate-Key', delimiter: ' ' },
  { header: 'xkey', delimiter: ' ' },
  { header: 'X-Magento-Tags', delimiter: ',' },
];

/** Path extensions, in lower case, of the static class; everything else is dynamic. */
export const staticExtensions: ReadonlySet<string> = new Set(
  [
    'css js mjs map csv pdf zip gz br woff woff2 ttf otf eot ico png jpg jpeg gif webp avif svg bmp',
    'mp3 m4a ogg wav mp4 webm mov wasm',
  ].flatMap((extensions) => extensions.split(' ')),
);

/**
 * Query parameters of campaign and analytics tools: they do not change a page, so they are left out of cache keys
 * where `cachingManagedIgnoredUrlParamsEnabled` is true. A `*` at the end matches any rest.
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
