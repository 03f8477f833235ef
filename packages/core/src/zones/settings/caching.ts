import { z } from 'zod';
import {
  asWritten,
  firstBroken,
  ignoringCase,
  integerBetween,
  patternedText,
  uniqueList,
} from '../../kernel/shared/constraints.ts';
import { CookieName, headerName, isRefusedInCacheKey, isRefusedInResponseSet } from './headers.ts';
import { settings } from './setting.ts';

const ParameterName = patternedText({
  maxLength: 128,
  pattern: /^[^&=#\s\p{Cc}]+$/u,
  code: 'settings.parameter',
  message: 'This value should be the name of a query parameter without &, =, # or spaces.',
});

const uri = z.boolean().default(true).meta({ description: 'Whether the path and query are part of the key.' });
const varyByHostname = z.boolean().default(true).meta({ description: 'Whether the host name is part of the key.' });

const notEmpty = {
  code: 'settings.cacheKey.empty',
  message: 'This cache key is empty, so all requests would share one object.',
};

const isSet = (part: boolean | readonly string[]): boolean => (typeof part === 'boolean' ? part : part.length > 0);

/** Whether the key distinguishes any two objects of the class. */
const hasParts = (key: Readonly<Record<string, boolean | readonly string[]>>): boolean =>
  Object.values(key).some(isSet);

/** The cache key of dynamic objects (interface, "settingsOverrides keys"). */
const DynamicCacheKey = z
  .strictObject({
    uri,
    varyByHostname,
    varyByCookie: uniqueList(CookieName, { maxItems: 20, key: asWritten })
      .default([])
      .meta({ description: 'Cookies whose first value is part of the key; names are case-sensitive.' }),
    varyByCountry: z.boolean().default(false).meta({ description: "Whether the client's country is part of the key." }),
    varyByHeader: uniqueList(headerName(isRefusedInCacheKey), { maxItems: 10, key: ignoringCase })
      .default([])
      .meta({ description: 'Request headers that are part of the key; names are case-insensitive.' }),
  })
  .check(firstBroken({ holds: hasParts, ...notEmpty }));

/** The cache key of static objects (interface, "settingsOverrides keys"). */
const StaticCacheKey = z
  .strictObject({
    uri,
    varyByHostname,
    varyByQueryString: uniqueList(ParameterName, { maxItems: 50, key: asWritten }).default([]).meta({
      description: 'Query parameters that are part of the key; if empty, all that are not ignored.',
    }),
  })
  .check(firstBroken({ holds: hasParts, ...notEmpty }));

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
