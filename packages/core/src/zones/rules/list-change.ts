import type { ResultAsync } from 'neverthrow';
import { defect } from '../../kernel/shared/failures.ts';
import type { RuleId } from '../../kernel/shared/ids.ts';
import type { Rule, WrittenRule } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { ruleIn } from '../rule-kinds/rule-lists.ts';
import { changedPositions, orderOf, type PositionChange, type RuleOrder } from '../rule-kinds/rule-order.ts';
import type { ChangedZone } from '../zone-changes/change-zone.ts';
import type { ZoneChange } from '../zone-changes/zone-command.ts';
import { listPlans } from '../zone-changes/zone-plan.ts';
import type { ZoneState } from '../zones/zone-state.ts';

/** A written rule, and every rule of the list whose position changed. */
export interface RuleChange<K extends RuleKind = RuleKind> {
  readonly rule: Rule<K>;
  readonly moved: readonly PositionChange[];
}

/** The change that turns a list into the wanted one, with its name in history. */
export const listChange = <K extends RuleKind>(
  state: ZoneState,
  kind: K,
  verb: 'created' | 'changed' | 'moved' | 'deleted' | 'replaced',
  wanted: { readonly rules: readonly WrittenRule<K>[]; readonly id?: RuleId },
): ZoneChange => ({
  plan: { lists: listPlans(state, [{ kind, rules: wanted.rules }]) },
  action: `${kind}.${verb}`,
  objects: wanted.id === undefined ? {} : { rule: wanted.id },
});

/** The rules of a list whose positions changed. */
export const movedIn = ({ before, after }: ChangedZone, kind: RuleKind): readonly PositionChange[] =>
  changedPositions(orderOf(before.rules[kind]), orderOf(after.rules[kind]));

/** The rules in the given order, which must contain each of them once. */
export function inOrder<K extends RuleKind>(
  rules: readonly WrittenRule<K>[],
  order: RuleOrder,
): readonly WrittenRule<K>[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return order.map((id) => byId.get(id)).filter((rule) => rule !== undefined);
}

/** The rule as a change of the zone leaves it; the rule must still exist. */
export const ruleChangeOf =
  <K extends RuleKind>(kind: K, id: RuleId) =>
  (changed: ChangedZone): ResultAsync<RuleChange<K>, never> =>
    ruleIn(changed.after, kind, id)
      .asyncMap(async (rule) => ({ rule, moved: movedIn(changed, kind) }))
      .orElse(() => defect('A written rule is missing from its list.'));
