import { z } from 'zod';
import { shapeOf, withoutAbsent } from './setting.ts';
import { overridableSettings } from './settings-keys.ts';

/**
 * The settings that a rule replaces while it matches, each as a whole (interface, "settingsOverrides keys").
 * Members that an object leaves out get the default of the member, not the value of the zone.
 */
export const SettingsOverrides = z
  .strictObject(shapeOf(overridableSettings, 'inOverrides'))
  .overwrite(withoutAbsent)
  .brand<'SettingsOverrides'>();
export type SettingsOverrides = z.output<typeof SettingsOverrides>;
