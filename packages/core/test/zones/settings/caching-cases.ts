import type { OverridableKey } from '../../../src/zones/settings/settings.ts';
import { forbiddenOnResponse } from './header-cases.ts';
import { longest, notList, numbered, type SettingCases } from './setting-case.ts';

const parameterNames: Pick<SettingCases, 'accepted' | 'refused'> = {
  accepted: [[], ['a', 'A'], ['größe', '%20', longest(128), '😀'.repeat(128)]],
  refused: [
    ...notList,
    [['a', 'b', 'a'], '[2] list.duplicate'],
    [[''], '[0] text.tooShort'],
    [[longest(129)], '[0] text.tooLong'],
    [['a b', 'a\u00a0b'], '[0] settings.parameter', '[1] settings.parameter'],
    [['a&b', 'a=b', 'a#b'], '[0] settings.parameter', '[1] settings.parameter', '[2] settings.parameter'],
    [['a\u0001', 'a\u007f'], '[0] settings.parameter', '[1] settings.parameter'],
    [['a\udc00'], '[0] text.encoding'],
  ],
};

const dynamicKey = { uri: true, varyByHostname: true, varyByCookie: [], varyByCountry: false, varyByHeader: [] };
const staticKey = { uri: true, varyByHostname: true, varyByQueryString: [] };
const nothing = { uri: false, varyByHostname: false };

/** Nests the cases of a member in its object. */
const under = (member: string, { accepted, refused }: Pick<SettingCases, 'accepted' | 'refused'>, whole: object) => ({
  accepted: accepted.map((value) => ({ ...whole, [member]: value })),
  refused: refused.map(([value, ...violations]) => {
    const paths = violations.map((violation) => `.${member}${violation}`);
    return [{ ...whole, [member]: value }, ...paths] as const;
  }),
});

const cookieNames = under(
  'varyByCookie',
  {
    accepted: [['session', 'Session'], ["!#$%&'*+-.^_`|~09azAZ"], [longest(128)], numbered(20)],
    refused: [
      ...notList,
      [['a', 'a'], '[1] list.duplicate'],
      [[''], '[0] text.tooShort'],
      [[longest(129)], '[0] text.tooLong'],
      [['a b', 'a=b', 'ä'], '[0] settings.token', '[1] settings.token', '[2] settings.token'],
      [numbered(21), ' list.tooLong'],
    ],
  },
  dynamicKey,
);

const refusedInCacheKey = [
  'Host cookie AUTHORIZATION Range If-None-Match If-Anything :path',
  'Connection Keep-Alive TE Trailer Transfer-Encoding Upgrade Proxy-Connection Proxy-Authorization Proxy-Authenticate',
].flatMap((names) => names.split(' '));

const variedHeaders = under(
  'varyByHeader',
  {
    accepted: [['Accept-Language', 'User-Agent', 'Referer'], [longest(128)], numbered(10)],
    refused: [
      ...notList,
      [['X-A', 'x-a'], '[1] list.duplicate'],
      [['x y', longest(129), ''], '[0] settings.token', '[1] text.tooLong', '[2] text.tooShort'],
      ...refusedInCacheKey.map((name) => [[name], '[0] settings.header.forbidden'] as const),
      [numbered(11), ' list.tooLong'],
    ],
  },
  dynamicKey,
);

const variedParameters = under(
  'varyByQueryString',
  {
    accepted: [...parameterNames.accepted, ['a*b'], numbered(50)],
    refused: [...parameterNames.refused, [numbered(51), ' list.tooLong']],
  },
  staticKey,
);

const cacheKeyTypes = [
  [[], ' member.type'],
  [true, ' member.type'],
  [{ uri: 'yes' }, '.uri member.type'],
  [{ uri: null }, '.uri member.type'],
  [{ varyByHostname: 1 }, '.varyByHostname member.type'],
  [{ varyByBody: true }, '.varyByBody member.unknown'],
  [nothing, ' settings.cacheKey.empty'],
] as const;

const tagHeader = (header: string, delimiter = ',') => ({ header, delimiter });

/** Cases of the cache keys and the lists about caching. */
export const cachingCases = {
  cachingDynamicCacheKey: {
    default: dynamicKey,
    accepted: [
      ...cookieNames.accepted,
      ...variedHeaders.accepted,
      { ...dynamicKey, uri: false },
      { ...dynamicKey, ...nothing, varyByCookie: ['a'] },
      { ...dynamicKey, ...nothing, varyByCountry: true },
      { ...dynamicKey, ...nothing, varyByHeader: ['a'] },
      { ...dynamicKey, varyByHostname: false },
    ],
    completed: [
      [{}, dynamicKey],
      [{ uri: false }, { ...dynamicKey, uri: false }],
      [{ varyByCountry: true }, { ...dynamicKey, varyByCountry: true }],
    ],
    refused: [
      ...cacheKeyTypes,
      ...cookieNames.refused,
      ...variedHeaders.refused,
      [{ varyByCountry: 'DE' }, '.varyByCountry member.type'],
      [{ varyByQueryString: [] }, '.varyByQueryString member.unknown'],
      [{ ...nothing, varyByCookies: ['a'] }, '.varyByCookies member.unknown', ' settings.cacheKey.empty'],
    ],
  },
  cachingStaticCacheKey: {
    default: staticKey,
    accepted: [
      ...variedParameters.accepted,
      { ...staticKey, uri: false },
      { ...staticKey, ...nothing, varyByQueryString: ['a'] },
    ],
    completed: [
      [{}, staticKey],
      [{ varyByHostname: false }, { ...staticKey, varyByHostname: false }],
    ],
    refused: [...cacheKeyTypes, ...variedParameters.refused, [{ varyByHeader: [] }, '.varyByHeader member.unknown']],
  },
  cachingIgnoredUrlParams: {
    default: [],
    accepted: [...parameterNames.accepted, ['utm_*', '*'], numbered(100)],
    refused: [
      ...parameterNames.refused,
      [['a*b', '**', 'a**'], '[0] settings.parameter', '[1] settings.parameter', '[2] settings.parameter'],
      [numbered(101), ' list.tooLong'],
    ],
  },
  cachingIgnoredCacheTags: {
    default: [],
    accepted: [[], ['page', 'Page', 'page-*', '*', 'a*b', '!"+-/~'], [longest(128)], numbered(100)],
    refused: [
      ...notList,
      [['page', 'page'], '[1] list.duplicate'],
      [['', longest(129)], '[0] text.tooShort', '[1] text.tooLong'],
      [['a,b', 'a b', 'é'], '[0] settings.cacheTag', '[1] settings.cacheTag', '[2] settings.cacheTag'],
      [['a\u007f', 'a\n'], '[0] settings.cacheTag', '[1] settings.cacheTag'],
      [numbered(101), ' list.tooLong'],
    ],
  },
  cachingAdditionalContentTypes: {
    default: [],
    accepted: [
      [],
      ['Application/JSON', 'text/*', 'application/vnd.api+json', "!#$%&'+.^_`|~09AZaz-/!#$%&'+.^_`|~09AZaz-"],
      [`a/${longest(253)}`],
      numbered(50, 'a/'),
    ],
    refused: [
      ...notList,
      [['text/css', 'TEXT/css'], '[1] list.duplicate'],
      [['', `a/${longest(254)}`], '[0] text.tooShort', '[1] text.tooLong'],
      ...['*/*', '*/json', 'text', 'text/', '/css', 'a/b/c', 'a/b*', 'a b/c', 'text/html; charset=utf-8', 'é/a'].map(
        (type) => [[type], '[0] settings.contentType'] as const,
      ),
      [numbered(51, 'a/'), ' list.tooLong'],
    ],
  },
  cachingCustomCacheTagHeaders: {
    default: [
      tagHeader('X-Cache-Tags'),
      tagHeader('Cache-Tag'),
      tagHeader('Surrogate-Key', ' '),
      tagHeader('xkey', ' '),
      tagHeader('X-Magento-Tags'),
    ],
    accepted: [
      [],
      [tagHeader('X-Tags', ' ,;'), tagHeader('y', '|:/'), tagHeader('z', '\t')],
      [tagHeader(longest(128))],
      numbered(10).map((name) => tagHeader(name)),
    ],
    refused: [
      [['x'], '[0] member.type'],
      [[{ header: 'x' }], '[0].delimiter member.required'],
      [[{ delimiter: ',' }], '[0].header member.required'],
      [[{ ...tagHeader('x'), case: 'lower' }], '[0].case member.unknown'],
      [[tagHeader('X-A'), tagHeader('x-a', ';')], '[1].header list.duplicate'],
      [[tagHeader('x y', '')], '[0].header settings.token', '[0].delimiter text.tooShort'],
      [[tagHeader('')], '[0].header text.tooShort'],
      [[tagHeader(longest(129))], '[0].header text.tooLong'],
      [[tagHeader('x', ',,,,')], '[0].delimiter text.tooLong'],
      [[tagHeader('x', '-')], '[0].delimiter settings.delimiter'],
      [[tagHeader('x', ',\n')], '[0].delimiter settings.delimiter'],
      ...[...forbiddenOnResponse, 'Set-Cookie'].map(
        (name) => [[tagHeader(name)], '[0].header settings.header.forbidden'] as const,
      ),
      [numbered(11).map((name) => tagHeader(name)), ' list.tooLong'],
    ],
  },
} satisfies Partial<Record<OverridableKey, SettingCases>>;
