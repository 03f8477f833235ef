import type { ResultAsync } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import type { InvalidInput } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { RuleList } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleVersion } from '../rule-kinds/rule-kinds.ts';
import { type RuleNotFound, ruleIn } from '../rule-kinds/rule-lists.ts';
import { orderOf } from '../rule-kinds/rule-order.ts';
import { changeZone, type ZoneChangeRepositories } from '../zone-changes/change-zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { inOrder, listChange, type RuleChange, ruleChangeOf } from './list-change.ts';
import { movedRule, type RuleMove } from './rule-placement.ts';

/** Moves one rule; the relative order of the others never changes. A move to the current position leaves no trace. */
export const moveRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ZoneChangeRepositories> }) =>
  <K extends RuleKind>(
    caller: Caller,
    { zone, kind }: RuleList<K>,
    id: RuleId,
    move: RuleMove,
    expected: ExpectedVersions,
  ): ResultAsync<RuleChange<K>, ZoneAccessError | RuleNotFound | VersionMismatch | InvalidInput> =>
    changeZone(unitOfWork, caller, zone, {
      permission: 'rules.write',
      decide: ({ state }) =>
        ruleIn(state, kind, id)
          .andThen((rule) => requireVersion(expected, ruleVersion(rule)))
          .andThen(() => movedRule(orderOf(state.rules[kind]), id, move))
          .map((order) => ({
            decided: listChange<RuleKind>(state, kind, 'moved', { rules: inOrder(state.rules[kind], order), id }),
          })),
    }).andThen(ruleChangeOf(kind, id));
