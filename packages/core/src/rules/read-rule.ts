import type { ResultAsync } from 'neverthrow';
import { mayIn } from '../organizations/organization-access.ts';
import type { Caller } from '../sessions/caller.ts';
import type { RuleId } from '../shared/ids.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { RuleNotFound } from './errors.ts';
import type { Rule, RuleList } from './rule.ts';
import type { RuleKind } from './rule-kinds.ts';

export type ReadRule = <K extends RuleKind>(
  caller: Caller,
  list: RuleList<K>,
  id: RuleId,
) => ResultAsync<Rule<K>, ZoneAccessError | RuleNotFound>;

/** One rule of a zone. */
export const readRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ReadRule =>
  (caller, list, id) =>
    unitOfWork.view(({ zones, rules }) =>
      zones
        .organizationOf(list.zone)
        .andThen((organization) => mayIn(caller, organization, 'zones.read'))
        .andThen(() => rules.byId(list, id)),
    );
