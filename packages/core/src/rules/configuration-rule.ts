import { z } from 'zod';
import { Conditions } from './conditions.ts';
import { commonRuleMembers, type Rule } from './rule.ts';
import { SettingsOverrides } from './settings-overrides.ts';

/**
 * When its conditions hold for a request, the overrides replace zone settings for it (interface, "Configuration
 * rule").
 */
export const ConfigurationRuleContent = z.strictObject({
  ...commonRuleMembers,
  conditions: Conditions,
  stopOnMatch: z.boolean().default(false),
  settingsOverrides: SettingsOverrides.prefault({}),
});
export type ConfigurationRuleContent = z.output<typeof ConfigurationRuleContent>;
export type ConfigurationRule = Rule<'configurationRule'>;
