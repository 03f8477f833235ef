import { err, ok, okAsync, type ResultAsync, safeTry } from 'neverthrow';
import type { AuditAction } from '../audit/audit-entry.ts';
import { record } from '../audit/record.ts';
import type { Caller } from '../sessions/caller.ts';
import type { RuleId, ZoneId } from '../shared/ids.ts';
import type { Repositories } from '../shared/unit-of-work.ts';
import { type InvalidInput, invalidInput, type Violation, violation } from '../shared/violation.ts';
import { referenceViolations } from '../zones/settings-references.ts';
import { overrideViolations } from '../zones/settings-rules.ts';
import type { Zone } from '../zones/zone.ts';
import type { RuleClash, WrittenRule } from './ports.ts';
import { changedPositions, type PositionChange, type RuleOrder } from './rule-order.ts';

/** A written rule, and every rule of the zone whose position the write changed. */
export interface RuleChange<R> {
  readonly rule: R;
  readonly moved: readonly PositionChange[];
}

/** Refuses a rule that clashes with another one or that makes no sense on top of its zone's settings. */
export const requireValidRule = (
  repositories: Repositories,
  zone: Zone,
  rule: WrittenRule,
): ResultAsync<void, InvalidInput> =>
  safeTry(async function* () {
    const overrides = rule.settingsOverrides.value;
    const clashes = yield* repositories.configurationRules.clashes(rule);
    const dangling = yield* referenceViolations(repositories, zone, overrides);
    const violations = [
      ...clashes.map(clashViolation),
      ...[...overrideViolations(zone.settings.value, overrides), ...dangling].map(inOverrides),
    ];
    return violations.length > 0 ? err(invalidInput(violations)) : ok();
  });

/** The clash that only the storage saw, as the violation it is. */
export const clashFound = (clash: RuleClash): InvalidInput => invalidInput([clashViolation(clash)]);

/** Stores the new order if it differs and tells which positions changed. */
export const saveOrder = (
  { configurationRules }: Repositories,
  zone: ZoneId,
  before: RuleOrder,
  after: RuleOrder,
): ResultAsync<readonly PositionChange[], never> => {
  const moved = changedPositions(before, after);
  const unchanged = moved.length === 0 && before.length === after.length;
  return unchanged ? okAsync(moved) : configurationRules.saveOrder(zone, after).map(() => moved);
};

/** What every write of a rule ends with: the zone counts as changed, and the audit log knows. */
export const finishRuleWrite = (
  repositories: Repositories,
  caller: Caller,
  { id: zone, organizationId: organization }: Zone,
  action: AuditAction,
  rule: RuleId,
): ResultAsync<void, never> =>
  repositories.zones
    .raiseVersion(zone)
    .andThen(() => record(repositories, caller, action, { organization, objects: { zone, rule } }));

const inOverrides = (each: Violation): Violation => ({
  ...each,
  propertyPath: `settingsOverrides.${each.propertyPath}`,
});

function clashViolation(clash: RuleClash): Violation {
  switch (clash.type) {
    case 'RuleNameTaken':
      return violation('name', 'rule.name.duplicate', 'Another rule of the zone has this name.');
    case 'RuleConditionsTaken':
      return violation('conditions', 'rule.conditions.duplicate', 'Another rule of the zone has the same conditions.');
  }
}
