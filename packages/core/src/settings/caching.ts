import { z } from 'zod';
import { asWritten, ignoringCase, integerBetween, patternedText, uniqueList } from '../shared/constraints.ts';
import { DynamicCacheKey, StaticCacheKey } from './cache-key.ts';
import { headerName, isRefusedInResponseSet } from './http-fields.ts';
import { settings } from './setting.ts';

const secondsPerYear = 31_536_000;

const IgnoredParameter = patternedText({
  maxLength: 128,
  pattern: /^[^&=#*\s\p{Cc}]*\*?$/u,
  code: 'settings.parameter',
  message:
    'This value should be the name of a query parameter without &, =, # or spaces; only the last character can be *.',
});

const IgnoredTag = patternedText({
  maxLength: 128,
  pattern: /^[!-+\--~]+$/,
  code: 'settings.cacheTag',
  message: 'This value should be visible ASCII without commas.',
});

// RFC 9110 section 8.3.1; each of the two names has at most 127 characters (RFC 6838 section 4.2).
const ContentType = patternedText({
  maxLength: 255,
  pattern: /^[!#$%&'+.^_`|~0-9A-Za-z-]+\/(?:[!#$%&'+.^_`|~0-9A-Za-z-]+|\*)$/,
  code: 'settings.contentType',
  message: 'This value should be a media type without parameters, such as application/json or text/*.',
});

const CacheTagHeader = z.strictObject({
  header: headerName(isRefusedInResponseSet).meta({ description: 'Name of the response header.' }),
  delimiter: patternedText({
    maxLength: 3,
    pattern: /^[ ,;|:/\t]+$/,
    code: 'settings.delimiter',
    message: 'This value should consist only of spaces, tabs and the characters , ; | : /.',
  }).meta({ description: 'The separator between two tags.' }),
});

/** Settings for what is cached, how long, and under which key. */
export const cachingSettings = settings({
  cachingDynamicEnabled: [z.boolean(), 'Caches the dynamic class: text/html and cachingAdditionalContentTypes.'],
  cachingStaticEnabled: [z.boolean(), 'Caches the static class: paths that end in one of the fixed static extensions.'],
  cachingRespectCacheControl: [
    z.boolean(),
    'Follows the Cache-Control of the origin: no-store, private, no-cache and max-age=0 are not stored, and s-maxage takes precedence over max-age.',
  ],
  cachingManagedIgnoredUrlParamsEnabled: [
    z.boolean(),
    'Leaves the managed list of campaign and analytics parameters out of cache keys.',
  ],
  cachingDynamicCacheKey: [DynamicCacheKey, 'What distinguishes objects of the dynamic class.'],
  cachingStaticCacheKey: [StaticCacheKey, 'What distinguishes objects of the static class.'],
  cachingDefaultTtl: [
    integerBetween(0, secondsPerYear),
    'Seconds for which a response is stored if the origin sends no lifetime or its lifetime is ignored; 0: not stored.',
  ],
  cacheControlPublicMaxAgeOverride: [
    integerBetween(0, secondsPerYear),
    'Seconds. Sends clients `Cache-Control: public, max-age=…` instead of s-maxage and Expires; never on private or no-store responses.',
  ],
  cachingIgnoredUrlParams: [
    uniqueList(IgnoredParameter, { maxItems: 100, key: asWritten }),
    'Query parameters left out of cache keys but sent to the origin; a trailing * matches any suffix.',
  ],
  cachingIgnoredCacheTags: [
    uniqueList(IgnoredTag, { maxItems: 100, key: asWritten }),
    'Cache tags of the origin that are not recorded; a trailing * matches any suffix.',
  ],
  cachingAdditionalContentTypes: [
    uniqueList(ContentType, { maxItems: 50, key: ignoringCase }),
    'Media types that belong to the dynamic class besides text/html, compared ignoring case.',
  ],
  cachingCustomCacheTagHeaders: [
    uniqueList(CacheTagHeader, { maxItems: 10, key: ({ header }) => ignoringCase(header), at: ['header'] }),
    'Response headers of the origin that carry cache tags.',
  ],
  stripCacheTagHeaders: [z.boolean(), 'Removes the cache-tag headers from responses to clients.'],
});
