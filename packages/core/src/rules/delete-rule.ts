import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { RuleList } from '../rule-kinds/rule.ts';
import type { RuleId } from '../shared/ids.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import type { RuleNotFound } from './errors.ts';
import { changedPositions, type PositionChange, removeRule } from './rule-order.ts';
import { ruleVersion } from './rule-version.ts';
import { recordRuleChange, touched } from './rule-write.ts';

export type DeleteRuleError = ZoneAccessError | RuleNotFound | VersionMismatch;
export type DeleteRule = (
  caller: Caller,
  list: RuleList,
  id: RuleId,
  expected: ExpectedVersions,
) => ResultAsync<readonly PositionChange[], DeleteRuleError>;

/** Deletes a rule and closes the gap it leaves; resolves to the positions that changed. */
export const deleteRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): DeleteRule =>
  (caller, list, id, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { rules } = repositories;
        const zone = yield* lockZoneFor(repositories, caller, list.zone, 'rules.write');
        const current = yield* rules.byId(list, id);
        yield* requireVersion(expected, ruleVersion(current));
        const { ids: before } = yield* rules.order(list);
        const after = removeRule(before, id);
        yield* rules.remove(list, id);
        yield* rules.saveOrder(list, after);
        yield* recordRuleChange(repositories, caller, zone, {
          kind: list.kind,
          verb: 'deleted',
          id,
          before: { order: before, items: touched(current) },
          after: { order: after, items: {} },
        });
        return ok(changedPositions(before, after));
      }),
    );
