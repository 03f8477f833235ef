import type { SettingKey } from '../../src/settings/settings.ts';
import { cachingCases } from './caching-cases.ts';
import { headerCases } from './header-cases.ts';
import { flag, integer, longest, optionalInteger, type SettingCases } from './setting-case.ts';

const uuid = (number: number): string => `018f3a5e-0000-7000-8000-${String(number).padStart(12, '0')}`;

const page: SettingCases = {
  default: undefined,
  nullable: true,
  accepted: [
    '',
    '  <p>spaces, line ends\r\n\tand e\u0301 stay</p>\n',
    longest(262_144),
    'é'.repeat(131_072),
    `${'€'.repeat(87_381)}a`,
    '😀'.repeat(65_536),
  ],
  refused: [
    [longest(262_145), ' text.tooLong'],
    ['é'.repeat(131_073), ' text.tooLong'],
    [`${'é'.repeat(131_072)}a`, ' text.tooLong'],
    ['€'.repeat(87_382), ' text.tooLong'],
    ['😀'.repeat(65_537), ' text.tooLong'],
    ['a\u0000b', ' text.control'],
    ['a\u0085b', ' text.control'],
    ['a\ud800b', ' text.encoding'],
    [{}, ' member.type'],
  ],
};

/** Cases of every key of zone settings. */
export const settingCases: Readonly<Record<SettingKey, SettingCases>> = {
  ...cachingCases,
  ...headerCases,
  enabled: flag(true),
  cachingDynamicEnabled: flag(false),
  cachingStaticEnabled: flag(false),
  cachingRespectCacheControl: flag(true),
  cachingManagedIgnoredUrlParamsEnabled: flag(true),
  cachingDefaultTtl: integer(0, 31_536_000, 604_800),
  cacheControlPublicMaxAgeOverride: optionalInteger(0, 31_536_000),
  backendPortOverride: optionalInteger(1, 65_535),
  stripCacheTagHeaders: flag(true),
  debugHeadersEnabled: flag(false),
  processingSsi: flag(false),
  processingEsi: flag(false),
  customPagesMaintenanceActive: flag(false),
  securityEnabled: flag(true),
  minifyHtml: flag(false),
  imageOptimizationEnabled: flag(true),
  imageOptimizationWebpEnabled: flag(true),
  imageOptimizationAvifEnabled: flag(true),
  imageOptimizationJpegEnabled: flag(false),
  imageOptimizationPngEnabled: flag(false),
  imageOptimizationAvifQuality: integer(1, 100, 50),
  imageOptimizationWebpQuality: integer(1, 100, 50),
  imageOptimizationJpegQualityMin: integer(1, 100, 40),
  imageOptimizationJpegQualityTarget: integer(1, 100, 85),
  imageOptimizationJpegQualityMax: integer(1, 100, 98),
  imageOptimizationPngQualityMin: integer(0, 100, 65),
  imageOptimizationPngQualityMax: integer(0, 100, 80),
  basicAuth: {
    default: { enabled: false, allowedUserIds: [] },
    accepted: [
      { enabled: true, allowedUserIds: [uuid(1), uuid(2)] },
      { enabled: false, allowedUserIds: Array.from({ length: 100 }, (_, index) => uuid(index)) },
    ],
    completed: [
      [{}, { enabled: false, allowedUserIds: [] }],
      [{ enabled: true }, { enabled: true, allowedUserIds: [] }],
      // Ids are the server's own: their case carries nothing that a client wrote.
      [{ allowedUserIds: [uuid(1).toUpperCase()] }, { enabled: false, allowedUserIds: [uuid(1)] }],
    ],
    refused: [
      [true, ' member.type'],
      [{ enabled: 'yes' }, '.enabled member.type'],
      [{ enabled: null }, '.enabled member.type'],
      [{ allowedUserIds: uuid(1) }, '.allowedUserIds member.type'],
      [{ allowedUserIds: ['me', uuid(1), 5] }, '.allowedUserIds[0] value.format', '.allowedUserIds[2] member.type'],
      [{ allowedUserIds: [uuid(1), uuid(1).toUpperCase()] }, '.allowedUserIds[1] list.duplicate'],
      [{ allowedUserIds: Array.from({ length: 101 }, (_, i) => uuid(i)) }, '.allowedUserIds list.tooLong'],
      [{ realm: 'x' }, '.realm member.unknown'],
    ],
  },
  defaultBackend: {
    default: undefined,
    nullable: true,
    accepted: ['origin_server', 'load_balancer', 'origin'].map((type) => ({ type, id: uuid(1) })),
    completed: [
      [
        { type: 'origin', id: uuid(1).toUpperCase() },
        { type: 'origin', id: uuid(1) },
      ],
    ],
    refused: [
      [uuid(1), ' member.type'],
      [{ type: 'origin' }, '.id member.required'],
      [{ id: uuid(1) }, '.type member.required'],
      [{ type: 1, id: uuid(1) }, '.type member.type'],
      [{ type: 'Origin', id: '1' }, '.type value.choice', '.id value.format'],
      [{ type: 'origin', id: 1 }, '.id member.type'],
      [{ type: 'origin', id: uuid(1), port: 80 }, '.port member.unknown'],
    ],
  },
  underAttack: flag(false),
  customPagesErrorEnabled: flag(false),
  customPagesSecurityEnabled: flag(false),
  customPagesChallengeEnabled: flag(false),
  customPagesErrorHtml: page,
  customPagesSecurityHtml: page,
  customPagesChallengeHtml: page,
  customPagesMaintenanceHtml: page,
  staleWhileRevalidateSeconds: integer(0, 604_800, 0),
  staleIfErrorSeconds: integer(0, 604_800, 0),
};

/** Every key that a rule can override, spelled out as the interface lists them. */
export const overridableKeys: readonly string[] = [
  'cachingDynamicEnabled, cachingRespectCacheControl, cachingStaticEnabled, cachingManagedIgnoredUrlParamsEnabled',
  'cachingDynamicCacheKey, cachingStaticCacheKey',
  'cachingDefaultTtl, cacheControlPublicMaxAgeOverride, backendPortOverride',
  'cachingIgnoredUrlParams, cachingIgnoredCacheTags, cachingAdditionalContentTypes, headersResponseRemove',
  'cachingCustomCacheTagHeaders',
  'headersRequestSet, headersResponseSet, headersResponseAdd',
  'debugHeadersEnabled, stripCacheTagHeaders, processingSsi, processingEsi, customPagesMaintenanceActive',
  'securityEnabled, enabled, minifyHtml',
  'imageOptimizationEnabled, imageOptimizationWebpEnabled, imageOptimizationAvifEnabled',
  'imageOptimizationJpegEnabled, imageOptimizationPngEnabled',
  'imageOptimizationAvifQuality, imageOptimizationWebpQuality, imageOptimizationJpegQualityTarget',
  'imageOptimizationJpegQualityMin, imageOptimizationJpegQualityMax',
  'imageOptimizationPngQualityMin, imageOptimizationPngQualityMax',
  'basicAuth, defaultBackend',
].flatMap((keys) => keys.split(', '));
