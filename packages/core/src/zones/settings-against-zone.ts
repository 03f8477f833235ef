import { ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import { type Violation, violation } from '../shared/violation.ts';
import { referenceViolations } from './settings-references.ts';
import { settingsViolations, settingsViolationsUnder } from './settings-rules.ts';
import type { Zone } from './zone.ts';
import type { ZoneSettings } from './zone-settings.ts';

/** What the settings of a locked zone break together, and which of their references lead nowhere. */
export const settingsAgainstZone = (
  repositories: Repositories,
  zone: Zone,
  settings: ZoneSettings,
): ResultAsync<readonly Violation[], never> =>
  referenceViolations(repositories, zone, settings).map((dangling) => [...settingsViolations(settings), ...dangling]);

/**
 * Which configuration rules of a locked zone would no longer fit its settings, each named; what they break is told at
 * the setting, for it is the settings that change.
 */
export const rulesAgainstSettings = (
  { rules }: Repositories,
  { id }: Pick<Zone, 'id'>,
  settings: ZoneSettings,
): ResultAsync<readonly Violation[], never> =>
  rules
    .all({ zone: id, kind: 'configurationRule' })
    .map((all) =>
      all.flatMap(({ id: ruleId, content: { value: rule } }) =>
        settingsViolationsUnder(settings, rule.settingsOverrides).map(({ propertyPath, message, code }) =>
          violation(propertyPath, code, `The rule "${rule.name}" (${ruleId}) would no longer fit. ${message}`),
        ),
      ),
    );

/** Which configuration rules would send requests round in circles if the zone had another name. */
export const rulesAgainstName = (repositories: Repositories, zone: Zone): ResultAsync<readonly Violation[], never> =>
  safeTry(async function* () {
    const rules = yield* repositories.rules.all({ zone: zone.id, kind: 'configurationRule' });
    const violations: Violation[] = [];
    for (const { id, content } of rules) {
      const { name, settingsOverrides } = content.value;
      const { defaultBackend } = settingsOverrides;
      const broken = yield* referenceViolations(repositories, zone, { defaultBackend });
      violations.push(
        ...broken.map(({ code, message }) => violation('name', code, `The rule "${name}" (${id}): ${message}`)),
      );
    }
    return ok(violations);
  });

/** Everything that speaks against new settings of a locked zone; paths start at the settings. */
export const newSettingsViolations = (
  repositories: Repositories,
  zone: Zone,
  settings: ZoneSettings,
): ResultAsync<readonly Violation[], never> =>
  safeTry(async function* () {
    const own = yield* settingsAgainstZone(repositories, zone, settings);
    const broken = yield* rulesAgainstSettings(repositories, zone, settings);
    return okAsync([...own, ...broken]);
  });
