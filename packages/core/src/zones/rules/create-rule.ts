import { type ResultAsync, safeTry } from 'neverthrow';
import type { Dependencies } from '../../kernel/shared/dependencies.ts';
import { RuleId } from '../../kernel/shared/ids.ts';
import { jsonDocument } from '../../kernel/shared/json.ts';
import { type InvalidInput, requireNone } from '../../kernel/shared/violation.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { RuleList } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { changeZone, type ZoneChangeRepositories } from '../zone-changes/change-zone.ts';
import { mapDecision } from '../zone-changes/decision.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import { listChange, type RuleChange, ruleChangeOf } from './list-change.ts';
import type { RuleDraft } from './rule-draft.ts';
import { capacityViolations, requireValidRule, ruleCapacityIn } from './rule-validity.ts';

/** Adds a rule at the requested position, or at the end. */
export const createRule =
  ({ unitOfWork, randomness }: Pick<Dependencies<ZoneChangeRepositories>, 'unitOfWork' | 'randomness'>) =>
  <K extends RuleKind>(
    caller: Caller,
    { zone, kind }: RuleList<K>,
    { content, order }: RuleDraft<K>,
  ): ResultAsync<RuleChange<K>, ZoneAccessError | InvalidInput> => {
    const id = RuleId.parse(randomness.uuid());
    return changeZone(unitOfWork, caller, zone, {
      permission: 'rules.write',
      decide: (basis) =>
        safeTry(function* () {
          const { [kind]: rules } = basis.state.rules;
          yield* requireNone(capacityViolations(ruleCapacityIn(basis), kind, rules.length + 1));
          const written = { id, content: jsonDocument(content) };
          const place = order === undefined ? rules.length : order - 1;
          const list = [...rules.slice(0, place), written, ...rules.slice(place)];
          return requireValidRule(basis, kind, written).map(
            mapDecision(() => listChange(basis.state, kind, 'created', { rules: list, id })),
          );
        }),
    }).andThen(ruleChangeOf(kind, id));
  };
