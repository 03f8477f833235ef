import { z } from 'zod';
import { shapeOf, withoutAbsent } from './setting.ts';
import { allSettings } from './settings-keys.ts';

/**
 * The complete settings of a zone (interface, "Zone": `zone_settings`). Any subset may be written; what is left out
 * gets its default. Members without a value are absent, never null. What one member alone can break is checked
 * here, what members break together is found by `settingsViolations`.
 */
export const ZoneSettings = z
  .strictObject(shapeOf(allSettings, 'inZone'))
  .overwrite(withoutAbsent)
  .brand<'ZoneSettings'>();
export type ZoneSettings = z.output<typeof ZoneSettings>;

/** The settings of a zone that was created without any. */
export const defaultZoneSettings: ZoneSettings = ZoneSettings.parse({});
