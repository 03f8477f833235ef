import type { ResultAsync } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { RuleNotFound } from '../rule-kinds/rule-lists.ts';
import type { RuleId } from '../shared/ids.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';

/** One rule of a zone. */
export const readRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  <K extends RuleKind>(
    caller: Caller,
    list: RuleList<K>,
    id: RuleId,
  ): ResultAsync<Rule<K>, ZoneAccessError | RuleNotFound> =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, list.zone, 'rules.read').andThen(() => repositories.rules.byId(list, id)),
    );
