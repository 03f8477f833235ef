import type { ResultAsync } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import type { PageRequest, PageTooLarge, PageTooLong } from '../../kernel/shared/page.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import type { RuleNotFound } from '../rule-kinds/rule-lists.ts';
import type { Zones } from '../zones/ports.ts';
import { mayReadZone, type ZoneAccessError } from '../zones/zone-access.ts';
import type { RulePage, Rules } from './ports.ts';

interface Repositories {
  readonly rules: Rules;
  readonly zones: Zones;
}

/** Which rules of a list to show. */
export interface ListRulesQuery extends PageRequest {
  /** Substrings of names, ignoring case; rules matching any of them are listed. Empty: all rules. */
  readonly names: readonly string[];
}

/** The rules of a zone in evaluation order. `PageTooLong` if another thread should read them: never without a maximum. */
export const listRules =
  ({ unitOfWork, longestPage }: { unitOfWork: UnitOfWork<Repositories>; longestPage?: number | undefined }) =>
  <K extends RuleKind>(
    caller: Caller,
    list: RuleList<K>,
    { names, ...page }: ListRulesQuery,
  ): ResultAsync<RulePage<K>, ZoneAccessError | PageTooLarge | PageTooLong> =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, list.zone, 'rules.read').andThen(() =>
        repositories.rules.list(list, names, page, longestPage),
      ),
    );

/** One rule of a zone. */
export const readRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  <K extends RuleKind>(
    caller: Caller,
    list: RuleList<K>,
    id: RuleId,
  ): ResultAsync<Rule<K>, ZoneAccessError | RuleNotFound> =>
    unitOfWork.view((repositories) =>
      mayReadZone(repositories, caller, list.zone, 'rules.read').andThen(() => repositories.rules.byId(list, id)),
    );
