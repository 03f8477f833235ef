import { type Violation, violationsUnder } from '../shared/violation.ts';
import { type Referents, referenceViolations } from '../zones/settings-references.ts';
import { overrideViolations } from '../zones/settings-rules.ts';
import type { Zone } from '../zones/zone.ts';
import type { ConfigurationRuleContent } from './configuration-rule.ts';

/**
 * What the overrides of a rule break on top of their zone's settings, and which of their references lead nowhere
 * (interface, "Configuration rule update", rule 2); paths start at the rule.
 */
export const overridesAgainstZone = (
  zone: Pick<Zone, 'name' | 'settings'>,
  referents: Referents,
  { settingsOverrides }: Pick<ConfigurationRuleContent, 'settingsOverrides'>,
): readonly Violation[] =>
  violationsUnder('settingsOverrides', [
    ...overrideViolations(zone.settings.value, settingsOverrides),
    ...referenceViolations(zone, referents, settingsOverrides),
  ]);
