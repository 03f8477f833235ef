import { z } from 'zod';
import { cachingSettings } from './caching.ts';
import { deliverySettings } from './delivery.ts';
import { headerSettings } from './headers.ts';
import { imageSettings } from './images.ts';
import { type Settings, shapeOf, withoutUndefined } from './setting.ts';
import { zoneOnlySettings } from './zone-only.ts';

/** The keys that a rule can override (interface, "settingsOverrides keys"); zones have all of them, too. */
export const overridableSettings = {
  ...deliverySettings,
  ...cachingSettings,
  ...headerSettings,
  ...imageSettings,
} satisfies Settings;

/** All keys of zone settings, with schema, default and description. */
export const allSettings = { ...overridableSettings, ...zoneOnlySettings } satisfies Settings;

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
