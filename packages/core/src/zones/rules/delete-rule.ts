import type { ResultAsync } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { RuleList } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleVersion } from '../rule-kinds/rule-kinds.ts';
import { type RuleNotFound, ruleIn } from '../rule-kinds/rule-lists.ts';
import type { PositionChange } from '../rule-kinds/rule-order.ts';
import { changeZone, type ZoneChangeRepositories } from '../zone-changes/change-zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { listChange, movedIn } from './list-change.ts';

/** Deletes a rule and closes the gap; resolves to the changed positions. */
export const deleteRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ZoneChangeRepositories> }) =>
  (
    caller: Caller,
    { zone, kind }: RuleList,
    id: RuleId,
    expected: ExpectedVersions,
  ): ResultAsync<readonly PositionChange[], ZoneAccessError | RuleNotFound | VersionMismatch | InvalidInput> =>
    changeZone(unitOfWork, caller, zone, {
      permission: 'rules.write',
      decide: ({ state }) =>
        ruleIn(state, kind, id)
          .andThen((rule) => requireVersion(expected, ruleVersion(rule)))
          .map(() => {
            const others = state.rules[kind].filter((rule) => rule.id !== id);
            return { decided: listChange<RuleKind>(state, kind, 'deleted', { rules: others, id }) };
          }),
    }).map((changed) => movedIn(changed, kind));
