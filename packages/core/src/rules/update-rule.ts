import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../sessions/caller.ts';
import type { RuleId, ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { type Json, type JsonObject, mergePatch } from '../shared/merge-patch.ts';
import { parse } from '../shared/parse.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import { type ExpectedVersions, isExpected, type VersionMismatch, versionMismatch } from '../shared/version.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import type { RuleNotFound } from './errors.ts';
import { type ConfigurationRule, RuleDraft, ruleVersion } from './rule.ts';
import { moveRule } from './rule-order.ts';
import { clashFound, finishRuleWrite, type RuleChange, requireValidRule, saveOrder } from './rule-write.ts';

export type UpdateRuleError = ZoneAccessError | RuleNotFound | VersionMismatch | InvalidInput;
export type UpdateRule = (
  caller: Caller,
  zoneId: ZoneId,
  id: RuleId,
  patch: JsonObject,
  expected: ExpectedVersions,
) => ResultAsync<RuleChange<ConfigurationRule>, UpdateRuleError>;

/**
 * Changes a rule by a merge patch (interface, "Configuration rule update"; RFC 7396). The patch is applied to the
 * rule as it is once the zone is locked, and the merged whole is checked: two patches of different members both
 * survive. A changed `order` re-sequences the siblings.
 */
export const updateRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): UpdateRule =>
  (caller, zoneId, id, patch, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { configurationRules } = repositories;
        const zone = yield* lockZoneFor(repositories, caller, zoneId, 'rules.write');
        const current = yield* configurationRules.byId(zoneId, id);
        const version = ruleVersion(current);
        if (!isExpected(expected, version)) return err(versionMismatch(version));
        const { order, conditions, settingsOverrides, ...rest } = yield* patched(current, patch);
        const written = {
          id,
          zoneId,
          ...rest,
          conditions: jsonDocument(conditions),
          settingsOverrides: jsonDocument(settingsOverrides),
        };
        yield* requireValidRule(repositories, zone, written);
        const stamp = yield* configurationRules.save(written).mapErr(clashFound);
        const before = yield* configurationRules.order(zoneId);
        const after = order === undefined ? before : moveRule(before, id, order);
        const moved = yield* saveOrder(repositories, zoneId, before, after);
        yield* finishRuleWrite(repositories, caller, zone, 'configurationRule.changed', id);
        return ok({ rule: { ...written, ...stamp, order: after.indexOf(id) + 1 }, moved });
      }),
    );

/** The rule's writable members with the patch merged in; `order` only if the patch names it. */
function patched(rule: ConfigurationRule, patch: JsonObject): Result<RuleDraft, InvalidInput> {
  if (patch['order'] === null) {
    return err(invalidInput([violation('order', 'member.required', 'A rule always has a position.')]));
  }
  const { name, description, enabled, stopOnMatch } = rule;
  const document: Json = {
    name,
    description,
    enabled,
    stopOnMatch,
    conditions: JSON.parse(rule.conditions.text) as Json,
    settingsOverrides: JSON.parse(rule.settingsOverrides.text) as Json,
  };
  return parse(RuleDraft, mergePatch(document, patch));
}
