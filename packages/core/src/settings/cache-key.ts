import { z } from 'zod';
import { asWritten, firstBroken, ignoringCase, patternedText, uniqueList } from '../shared/constraints.ts';
import { CookieName, headerName, isRefusedInCacheKey } from './http-fields.ts';

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
export const DynamicCacheKey = z
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
export const StaticCacheKey = z
  .strictObject({
    uri,
    varyByHostname,
    varyByQueryString: uniqueList(ParameterName, { maxItems: 50, key: asWritten }).default([]).meta({
      description: 'Query parameters that are part of the key; if empty, all that are not ignored.',
    }),
  })
  .check(firstBroken({ holds: hasParts, ...notEmpty }));
