import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import { type JsonObject, jsonDocument, jsonOf } from '../../kernel/shared/json.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../../kernel/shared/version.ts';
import { type InvalidInput, invalidAt } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { Rule, RuleList, WrittenRule } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleKinds, ruleVersion } from '../rule-kinds/rule-kinds.ts';
import { type RuleNotFound, ruleIn } from '../rule-kinds/rule-lists.ts';
import { orderOf, reposition } from '../rule-kinds/rule-order.ts';
import { changeZone, type ZoneChangeRepositories } from '../zone-changes/change-zone.ts';
import { mapDecision } from '../zone-changes/decision.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { inOrder, listChange, type RuleChange, ruleChangeOf } from './list-change.ts';
import { parseRuleDraft, patchedMembers, type RuleDraft } from './rule-draft.ts';
import { requireValidRule } from './rule-validity.ts';

/**
 * Applies a merge patch to a rule (interface, "Configuration rule update"; RFC 7396). The patch is applied to the rule
 * as it is at decision time and the result is validated as a whole, so concurrent patches of different members both
 * survive. A changed `order` re-sequences the siblings. A patch that changes nothing leaves no trace.
 */
export const updateRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<ZoneChangeRepositories> }) =>
  <K extends RuleKind>(
    caller: Caller,
    { zone, kind }: RuleList<K>,
    id: RuleId,
    patch: JsonObject,
    expected: ExpectedVersions,
  ): ResultAsync<RuleChange<K>, ZoneAccessError | RuleNotFound | VersionMismatch | InvalidInput> =>
    changeZone(unitOfWork, caller, zone, {
      permission: 'rules.write',
      decide: (basis) =>
        safeTry(function* () {
          const { [kind]: rules } = basis.state.rules;
          const current = yield* ruleIn(basis.state, kind, id);
          yield* requireVersion(expected, ruleVersion(current));
          const draft = yield* patched(current, patch);
          const written = { id, content: jsonDocument(draft.content) };
          const change = (wanted: readonly WrittenRule[]) => {
            const order = draft.order === undefined ? undefined : reposition(orderOf(rules), id, draft.order);
            const placed = order === undefined ? wanted : inOrder(wanted, order);
            return listChange<RuleKind>(basis.state, kind, 'changed', { rules: placed, id });
          };
          if (written.content.text === current.content.text) return ok({ decided: change(rules) });
          return requireValidRule(basis, kind, written).map(
            mapDecision(() => change(rules.map((rule) => (rule.id === id ? written : rule)))),
          );
        }),
    }).andThen(ruleChangeOf(kind, id));

/** The rule's content with the patch applied; `order` only if the patch contains it. */
function patched<K extends RuleKind>(
  { kind, content }: Rule<K>,
  patch: JsonObject,
): Result<RuleDraft<K>, InvalidInput> {
  if (patch['order'] === null && ruleKinds[kind].isOrdered) {
    return err(invalidAt('order', 'member.required', 'A rule must have a position.'));
  }
  const stored = jsonOf(content);
  return parseRuleDraft(kind, patchedMembers(kind, stored, patch), stored);
}
