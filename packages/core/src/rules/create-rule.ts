import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { RuleList } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { RuleId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import type { Randomness } from '../shared/randomness.ts';
import { type InvalidInput, requireNone } from '../shared/violation.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import type { RuleDraft } from './rule-draft.ts';
import { changedPositions, insertRule } from './rule-order.ts';
import {
  type RuleChange,
  recordRuleChange,
  requireValidRule,
  roomViolations,
  ruleClashed,
  touched,
} from './rule-write.ts';

export type CreateRule = <K extends RuleKind>(
  caller: Caller,
  list: RuleList<K>,
  draft: RuleDraft<K>,
) => ResultAsync<RuleChange<K>, ZoneAccessError | InvalidInput>;

/** Adds a rule at the asked position, or at the end. */
export const createRule =
  ({ unitOfWork, randomness }: { unitOfWork: UnitOfWork; randomness: Randomness }): CreateRule =>
  (caller, list, draft) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { kind, zone: zoneId } = list;
        const zone = yield* lockZoneFor(repositories, caller, zoneId, 'rules.write');
        const { ids: before } = yield* repositories.rules.order(list);
        yield* requireNone(roomViolations(kind, before.length + 1));
        const written = { id: RuleId.parse(randomness.uuid()), content: jsonDocument(draft.content) };
        yield* requireValidRule(repositories, zone, list, written);
        const stamp = yield* repositories.rules.add(list, written).mapErr(ruleClashed(kind));
        const after = insertRule(before, written.id, draft.order);
        yield* repositories.rules.saveOrder(list, after);
        yield* recordRuleChange(repositories, caller, zone, {
          kind,
          verb: 'created',
          id: written.id,
          before: { order: before, items: {} },
          after: { order: after, items: touched(written) },
        });
        const rule = { ...written, zoneId, kind, ...stamp, order: after.indexOf(written.id) + 1 };
        return ok({ rule, moved: changedPositions(before, after) });
      }),
    );
