import { z } from 'zod';
import { Conditions } from '../conditions/conditions.ts';
import { SettingsOverrides } from '../settings/settings.ts';
import { commonRuleMembers } from './common-rule-members.ts';

/** Overrides zone settings for requests that match its conditions (interface, "Configuration rule"). */
export const ConfigurationRuleContent = z.strictObject({
  ...commonRuleMembers,
  conditions: Conditions,
  stopOnMatch: z.boolean().default(false),
  settingsOverrides: SettingsOverrides.prefault({}),
});
export type ConfigurationRuleContent = z.output<typeof ConfigurationRuleContent>;
