import { err, ok, type ResultAsync, safeTry } from 'neverthrow';
import type { Caller } from '../sessions/caller.ts';
import { RuleId, type ZoneId } from '../shared/ids.ts';
import { jsonDocument } from '../shared/json-document.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { UnitOfWork } from '../shared/unit-of-work.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { lockZoneFor, type ZoneAccessError } from '../zones/zone-access.ts';
import { type ConfigurationRule, type RuleDraft, rulesPerZone } from './rule.ts';
import { insertRule } from './rule-order.ts';
import { clashFound, finishRuleWrite, type RuleChange, requireValidRule, saveOrder } from './rule-write.ts';

export type CreateRule = (
  caller: Caller,
  zoneId: ZoneId,
  draft: RuleDraft,
) => ResultAsync<RuleChange<ConfigurationRule>, ZoneAccessError | InvalidInput>;

/** Adds a rule at the asked position, or at the end. */
export const createRule =
  ({ unitOfWork, randomness }: { unitOfWork: UnitOfWork; randomness: Randomness }): CreateRule =>
  (caller, zoneId, draft) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const zone = yield* lockZoneFor(repositories, caller, zoneId, 'rules.write');
        const before = yield* repositories.configurationRules.order(zoneId);
        if (before.length >= rulesPerZone) return err(tooManyRules());
        const { order, conditions, settingsOverrides, ...rest } = draft;
        const written = {
          id: RuleId.parse(randomness.uuid()),
          zoneId,
          ...rest,
          conditions: jsonDocument(conditions),
          settingsOverrides: jsonDocument(settingsOverrides),
        };
        yield* requireValidRule(repositories, zone, written);
        const stamp = yield* repositories.configurationRules.add(written).mapErr(clashFound);
        const after = insertRule(before, written.id, order);
        const moved = yield* saveOrder(repositories, zoneId, before, after);
        yield* finishRuleWrite(repositories, caller, zone, 'configurationRule.created', written.id);
        return ok({ rule: { ...written, ...stamp, order: after.indexOf(written.id) + 1 }, moved });
      }),
    );

const tooManyRules = () =>
  invalidInput([violation('', 'zone.rules.limit', `A zone holds at most ${rulesPerZone} configuration rules.`)]);
