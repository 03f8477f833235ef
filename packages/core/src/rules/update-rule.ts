import { err, ok, type Result, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { Repositories, UnitOfWork } from '../repositories.ts';
import type { Rule, RuleList } from '../rule-kinds/rule.ts';
import { type RuleKind, ruleKinds } from '../rule-kinds/rule-kinds.ts';
import type { RuleId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import { isJsonObject, type JsonObject, jsonOf, mergePatch } from '../shared/merge-patch.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import type { Zone } from '../zones/zone.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import type { RuleNotFound } from './errors.ts';
import type { RuleDraft } from './rule-draft.ts';
import { parseRuleDraft } from './rule-draft.ts';
import { changedPositions, type RuleOrder, reposition } from './rule-order.ts';
import { ruleVersion } from './rule-version.ts';
import { type RuleChange, recordRuleChange, requireValidRule, ruleClashed, touched } from './rule-write.ts';

export type UpdateRuleError = ZoneAccessError | RuleNotFound | VersionMismatch | InvalidInput;
export type UpdateRule = <K extends RuleKind>(
  caller: Caller,
  list: RuleList<K>,
  id: RuleId,
  patch: JsonObject,
  expected: ExpectedVersions,
) => ResultAsync<RuleChange<K>, UpdateRuleError>;

/**
 * Changes a rule by a merge patch (interface, "Configuration rule update"; RFC 7396). The patch is applied to the
 * rule as it is once the zone is locked, and the merged whole is checked: two patches of different members both
 * survive. A changed `order` re-sequences the siblings. A patch that changes nothing leaves no trace.
 */
export const updateRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): UpdateRule =>
  (caller, list, id, patch, expected) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const zone = yield* lockZoneFor(repositories, caller, list.zone, 'rules.write');
        const current = yield* repositories.rules.byId(list, id);
        yield* requireVersion(expected, ruleVersion(current));
        const draft = yield* patched(current, patch);
        const { ids: before } = yield* repositories.rules.order(list);
        const after = draft.order === undefined ? before : reposition(before, id, draft.order);
        const rule = yield* savedContent(repositories, zone, current, draft);
        const moved = changedPositions(before, after);
        if (moved.length > 0) yield* repositories.rules.saveOrder(list, after);
        if (moved.length === 0 && rule === current) return ok({ rule, moved });
        yield* recordRuleChange(repositories, caller, zone, {
          kind: list.kind,
          verb: 'changed',
          id,
          before: { order: before, items: touched(current) },
          after: { order: after, items: touched(rule) },
        });
        return ok({ rule: { ...rule, order: positionIn(after, id) }, moved });
      }),
    );

const positionIn = (order: RuleOrder, id: RuleId): number => order.indexOf(id) + 1;

/** The rule with the content of the draft, stored if it differs from what it was. */
const savedContent = <K extends RuleKind>(
  repositories: Repositories,
  zone: Zone,
  current: Rule<K>,
  { content }: RuleDraft<K>,
): ResultAsync<Rule<K>, InvalidInput> =>
  safeTry(async function* () {
    const { id, kind } = current;
    const list: RuleList<K> = { zone: zone.id, kind };
    const written = { id, content: jsonDocument(content) };
    if (written.content.text === current.content.text) return ok(current);
    yield* requireValidRule(repositories, zone, list, written);
    const stamp = yield* repositories.rules.save(list, written).mapErr(ruleClashed(kind));
    return ok({ ...current, ...written, ...stamp });
  });

/** The rule's content with the patch merged in; `order` only if the patch names it. */
function patched<K extends RuleKind>(
  { kind, content }: Rule<K>,
  patch: JsonObject,
): Result<RuleDraft<K>, InvalidInput> {
  if (patch['order'] === null && ruleKinds[kind].isOrdered) {
    return err(invalidInput([violation('order', 'member.required', 'A rule must have a position.')]));
  }
  const stored = jsonOf(content) as JsonObject;
  const merged = mergePatch(ruleKinds[kind].before?.(patch, stored) ?? stored, patch);
  return parseRuleDraft(kind, isJsonObject(merged) ? merged : {}, stored);
}
