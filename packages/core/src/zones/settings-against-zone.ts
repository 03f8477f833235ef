import type { RulesOfZone } from '../rules/ports.ts';
import { type Violation, violation } from '../shared/violation.ts';
import { type Referents, referenceViolations } from './settings-references.ts';
import { settingsViolations, settingsViolationsUnder } from './settings-rules.ts';
import type { Zone } from './zone.ts';
import type { ZoneSettings } from './zone-settings.ts';

/** What the settings of a zone break together, and which of their references lead nowhere. */
export const settingsAgainstZone = (
  zone: Pick<Zone, 'name'>,
  referents: Referents,
  settings: ZoneSettings,
): readonly Violation[] => [...settingsViolations(settings), ...referenceViolations(zone, referents, settings)];

/**
 * Which configuration rules of a zone would no longer fit its settings, each named; what they break is told at the
 * setting, for it is the settings that change.
 */
export const rulesAgainstSettings = (
  rules: RulesOfZone['configurationRule'],
  settings: ZoneSettings,
): readonly Violation[] =>
  rules.flatMap(({ id, content: { value: rule } }) =>
    settingsViolationsUnder(settings, rule.settingsOverrides).map(({ propertyPath, message, code }) =>
      violation(propertyPath, code, `The rule "${rule.name}" (${id}) would become invalid. ${message}`),
    ),
  );

/** Which configuration rules would send requests round in circles if the zone had this name. */
export const rulesAgainstName = (
  rules: RulesOfZone['configurationRule'],
  zone: Pick<Zone, 'name'>,
  referents: Referents,
): readonly Violation[] =>
  rules.flatMap(({ id, content: { value: rule } }) =>
    referenceViolations(zone, referents, { defaultBackend: rule.settingsOverrides.defaultBackend }).map(
      ({ code, message }) => violation('name', code, `The rule "${rule.name}" (${id}): ${message}`),
    ),
  );
