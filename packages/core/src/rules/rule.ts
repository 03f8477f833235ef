import { z } from 'zod';
import type { RuleId, ZoneId } from '../shared/ids.ts';
import type { JsonDocument } from '../shared/json-document.ts';
import { text } from '../shared/text.ts';
import type { Version } from '../shared/version.ts';
import { Conditions } from './conditions.ts';
import { RulePosition } from './rule-order.ts';
import { SettingsOverrides } from './settings-overrides.ts';

/** Greatest number of configuration rules in a zone. */
export const rulesPerZone = 100;

export const RuleName = text({ min: 1, max: 255 }).brand<'RuleName'>();
export type RuleName = z.infer<typeof RuleName>;

export const RuleDescription = text({ max: 1000, multiline: true }).brand<'RuleDescription'>();
export type RuleDescription = z.infer<typeof RuleDescription>;

/** What a client writes of a rule, with the defaults of what it leaves out. */
export const RuleDraft = z.strictObject({
  name: RuleName,
  description: RuleDescription.prefault(''),
  conditions: Conditions,
  order: RulePosition.optional(),
  enabled: z.boolean().default(true),
  stopOnMatch: z.boolean().default(false),
  settingsOverrides: SettingsOverrides.prefault({}),
});
export type RuleDraft = z.output<typeof RuleDraft>;

/**
 * A configuration rule: when its conditions hold for a request, its overrides replace zone settings for it
 * (interface, "Configuration rule"). Conditions and overrides read back as they were written.
 */
export interface ConfigurationRule {
  readonly id: RuleId;
  readonly zoneId: ZoneId;
  readonly name: RuleName;
  readonly description: RuleDescription;
  readonly conditions: JsonDocument<Conditions>;
  /** 1-based evaluation position. */
  readonly order: number;
  readonly enabled: boolean;
  readonly stopOnMatch: boolean;
  readonly settingsOverrides: JsonDocument<SettingsOverrides>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Grows with every change of what is written in the rule; its position is not. */
  readonly revision: number;
}

/** A rule that was only shifted reads differently, so its position is part of its version. */
export const ruleVersion = ({ revision, order }: Pick<ConfigurationRule, 'revision' | 'order'>): Version =>
  `${revision}.${order}`;
