import { z } from 'zod';
import { cachingSettings } from './caching.ts';
import { deliverySettings } from './delivery.ts';
import { headerSettings } from './headers.ts';
import { imageSettings } from './images.ts';
import { type Settings, shapeOf, withoutAbsent } from './setting.ts';
import { zoneOnlySettings } from './zone-only.ts';

/** Every key that a rule can override (interface, "settingsOverrides keys"); zones have the same keys. */
export const overridableSettings = {
  ...deliverySettings,
  ...cachingSettings,
  ...headerSettings,
  ...imageSettings,
} satisfies Settings;

/** Every key of zone settings, with its schema, default and description. */
export const allSettings = { ...overridableSettings, ...zoneOnlySettings } satisfies Settings;

/** A key of rule overrides. */
export type OverridableKey = keyof typeof overridableSettings;

/** A key of zone settings. */
export type SettingKey = keyof typeof allSettings;

/**
 * The complete settings of a zone (interface, "Zone": `zone_settings`). Any subset may be written; what is left out
 * gets its default. Members without a value are absent, never null. What one member alone can break is checked
 * here, what members break together is found by `inconsistencies`.
 */
export const ZoneSettings = z
  .strictObject(shapeOf(allSettings, 'inZone'))
  .overwrite(withoutAbsent)
  .brand<'ZoneSettings'>();
export type ZoneSettings = z.output<typeof ZoneSettings>;

/** The settings of a zone that was created without any. */
export const defaultZoneSettings: ZoneSettings = ZoneSettings.parse({});

/**
 * The settings that a rule replaces while it matches, each as a whole (interface, "settingsOverrides keys").
 * Members that an object leaves out get the default of the member, not the value of the zone.
 */
export const SettingsOverrides = z
  .strictObject(shapeOf(overridableSettings, 'inOverrides'))
  .overwrite(withoutAbsent)
  .brand<'SettingsOverrides'>();
export type SettingsOverrides = z.output<typeof SettingsOverrides>;
