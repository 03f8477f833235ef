import { type SettingKey as EngineSettingKey, pathNormalizations } from '@zonewright/engine';
import { z } from 'zod';
import { asWritten, firstBroken, integerBetween, uniqueList, wellFormed } from '../../kernel/shared/constraints.ts';
import { BasicAuthUserId } from '../../kernel/shared/ids.ts';
import { withoutUndefined } from '../../kernel/shared/json.ts';
import { utf8Bytes } from '../../kernel/shared/text.ts';
import { BackendReference } from '../../organizations/backends/backend-reference.ts';
import { cachingSettings } from './caching.ts';
import { headerSettings } from './headers.ts';
import { type Setting, type Settings, settings, shapeOf } from './setting.ts';

/** Maximum size of a custom page, in bytes of UTF-8. */
const maxPageBytes = 262_144;

const secondsPerWeek = 604_800;
const controlsExceptLayout = /[^\P{Cc}\t\n\f\r]/u;

const tooLarge = { code: 'text.tooLong', message: `This value should have at most ${maxPageBytes} bytes.` };

/** A page, served byte for byte: neither trimmed nor normalized. */
const Page = z
  .string()
  .check(
    firstBroken<string>(
      { holds: (page) => page.length <= maxPageBytes && utf8Bytes(page) <= maxPageBytes, ...tooLarge },
      wellFormed,
      {
        holds: (page) => !controlsExceptLayout.test(page),
        code: 'text.control',
        message: 'This value contains a control character.',
      },
    ),
  )
  // In code points; a code point takes at least one byte.
  .meta({ maxLength: maxPageBytes });

/** Settings that rules cannot override. */
const zoneOnlySettings = settings({
  pathNormalization: [
    z.enum(pathNormalizations),
    'How paths are read: strict merges slashes and refuses paths that origin servers could read as other ones, rfc3986 does neither.',
  ],
  underAttack: [z.boolean(), 'Challenges every client before it reaches the zone.'],
  customPagesErrorEnabled: [z.boolean(), 'Shows customPagesErrorHtml when the origin fails.'],
  customPagesSecurityEnabled: [
    z.boolean(),
    'Shows customPagesSecurityHtml to clients that are refused for security reasons.',
  ],
  customPagesChallengeEnabled: [
    z.boolean(),
    'Shows customPagesChallengeHtml to clients that have to pass a challenge.',
  ],
  customPagesErrorHtml: [Page, 'HTML of the error page, at most 256 KiB.'],
  customPagesSecurityHtml: [Page, 'HTML of the page for refused clients, at most 256 KiB.'],
  customPagesChallengeHtml: [Page, 'HTML of the challenge page, at most 256 KiB.'],
  customPagesMaintenanceHtml: [Page, 'HTML of the maintenance page, at most 256 KiB.'],
  staleWhileRevalidateSeconds: [
    integerBetween(0, secondsPerWeek),
    'Seconds after its lifetime that an object may still be served while it is revalidated (RFC 5861 section 3).',
  ],
  staleIfErrorSeconds: [
    integerBetween(0, secondsPerWeek),
    'Seconds after its lifetime that an object may still be served when the origin fails (RFC 5861 section 4).',
  ],
});

const BasicAuth = z.strictObject({
  enabled: z.boolean().default(false).meta({ description: 'Whether clients are asked for a user name and password.' }),
  allowedUserIds: uniqueList(BasicAuthUserId, { maxItems: 100, key: asWritten })
    .default([])
    .meta({ description: "Ids of the zone's basic-auth users that are accepted; if empty, all of them." }),
});

/** Settings for where responses come from, who gets them, and how they are transformed. */
const deliverySettings = settings({
  enabled: [
    z.boolean(),
    'When false, the zone only forwards: no caching, optimization or protection. Backends, header operations and basic auth stay in force.',
  ],
  defaultBackend: [BackendReference, 'Backend that answers requests of the zone.'],
  backendPortOverride: [
    integerBetween(1, 65_535),
    'Port used instead of the one of the chosen backend, for every member of a load balancer.',
  ],
  basicAuth: [BasicAuth, 'HTTP Basic Authentication in front of the zone.'],
  securityEnabled: [
    z.boolean(),
    'Runs the web application firewall and the security scenarios; access rules always run.',
  ],
  customPagesMaintenanceActive: [
    z.boolean(),
    'Answers every request with status 503, Retry-After and the maintenance page.',
  ],
  processingSsi: [z.boolean(), 'Processes server-side includes.'],
  processingEsi: [z.boolean(), 'Processes edge-side includes, before server-side includes.'],
  minifyHtml: [z.boolean(), 'Minifies HTML.'],
  debugHeadersEnabled: [
    z.boolean(),
    'Shows the cache status, the hash of the cache key and the ids of matched rules in response headers.',
  ],
});

const Quality = integerBetween(1, 100);
const PaletteQuality = integerBetween(0, 100);

/** Settings for recompressing JPEG and PNG images. */
const imageSettings = settings({
  imageOptimizationEnabled: [z.boolean(), 'Turns image optimization on or off as a whole.'],
  imageOptimizationWebpEnabled: [z.boolean(), 'Sends WebP to clients that accept it and do not get AVIF.'],
  imageOptimizationAvifEnabled: [z.boolean(), 'Sends AVIF to clients that accept it.'],
  imageOptimizationJpegEnabled: [z.boolean(), 'Recompresses JPEG images as JPEG.'],
  imageOptimizationPngEnabled: [z.boolean(), 'Recompresses PNG images as PNG.'],
  imageOptimizationAvifQuality: [Quality, 'Quality of AVIF images, 1 to 100.'],
  imageOptimizationWebpQuality: [Quality, 'Quality of WebP images, 1 to 100.'],
  imageOptimizationJpegQualityTarget: [
    Quality,
    'Target quality of JPEG images, 1 to 100, between the lowest and the highest.',
  ],
  imageOptimizationJpegQualityMin: [Quality, 'Lowest quality of JPEG images, 1 to 100.'],
  imageOptimizationJpegQualityMax: [Quality, 'Highest quality of JPEG images, 1 to 100.'],
  imageOptimizationPngQualityMin: [PaletteQuality, 'Lowest quality of PNG images, 0 to 100.'],
  imageOptimizationPngQualityMax: [PaletteQuality, 'Highest quality of PNG images, 0 to 100.'],
});

/** The keys that a rule can override (interface, "settingsOverrides keys"); zones have all of them, too. */
export const overridableSettings = {
  ...deliverySettings,
  ...cachingSettings,
  ...headerSettings,
  ...imageSettings,
} satisfies Settings;

/** All keys of zone settings, with schema, default and description. */
export const allSettings = { ...overridableSettings, ...zoneOnlySettings } satisfies Record<EngineSettingKey, Setting>;

/** A key of rule overrides. */
export type OverridableKey = keyof typeof overridableSettings;

/** A key of zone settings. */
export type SettingKey = keyof typeof allSettings;

/**
 * The complete settings of a zone (interface, "Zone": `zone_settings`). Omitted members get their defaults. Members
 * without a value are absent, never null. This validates single members; `inconsistencies` validates combinations.
 */
export const ZoneSettings = z
  .strictObject(shapeOf(allSettings, 'inZone'))
  .overwrite(withoutUndefined)
  .brand<'ZoneSettings'>();
export type ZoneSettings = z.output<typeof ZoneSettings>;

/** The settings of a zone created without any. */
export const defaultZoneSettings: ZoneSettings = ZoneSettings.parse({});

/**
 * The settings that a matching rule overrides, each as a whole (interface, "settingsOverrides keys"). Members missing
 * from an object value get their own default, not the zone's value.
 */
export const SettingsOverrides = z
  .strictObject(shapeOf(overridableSettings, 'inOverrides'))
  .overwrite(withoutUndefined)
  .brand<'SettingsOverrides'>();
export type SettingsOverrides = z.output<typeof SettingsOverrides>;
