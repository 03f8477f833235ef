import { cachingSettings } from './caching-settings.ts';
import { deliverySettings } from './delivery-settings.ts';
import { headerSettings } from './header-settings.ts';
import { imageSettings } from './image-settings.ts';
import type { Settings } from './setting.ts';
import { zoneOnlySettings } from './zone-only-settings.ts';

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
