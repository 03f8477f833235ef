import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../sessions/caller.ts';
import type { RuleId, ZoneId } from '../shared/ids.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import { type ExpectedVersions, isExpected, type VersionMismatch, versionMismatch } from '../shared/version.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import type { RuleNotFound } from './errors.ts';
import { ruleVersion } from './rule.ts';
import { type PositionChange, removeRule } from './rule-order.ts';
import { finishRuleWrite, saveOrder } from './rule-write.ts';

export type DeleteRuleError = ZoneAccessError | RuleNotFound | VersionMismatch;
export type DeleteRule = (
  caller: Caller,
  zoneId: ZoneId,
  id: RuleId,
  expected: ExpectedVersions,
) => ResultAsync<readonly PositionChange[], DeleteRuleError>;

/** Deletes a rule and closes the gap it leaves; resolves to the positions that changed. */
export const deleteRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): DeleteRule =>
  (caller, zoneId, id, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { configurationRules } = repositories;
        const zone = yield* lockZoneFor(repositories, caller, zoneId, 'rules.write');
        const version = ruleVersion(yield* configurationRules.byId(zoneId, id));
        if (!isExpected(expected, version)) return err(versionMismatch(version));
        const before = yield* configurationRules.order(zoneId);
        yield* configurationRules.remove(zoneId, id);
        const moved = yield* saveOrder(repositories, zoneId, before, removeRule(before, id));
        yield* finishRuleWrite(repositories, caller, zone, 'configurationRule.deleted', id);
        return ok(moved);
      }),
    );
