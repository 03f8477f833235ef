import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { RuleList } from '../rule-kinds/rule.ts';
import type { RuleKind } from '../rule-kinds/rule-kinds.ts';
import { insertRule, type RuleOrder, RulePosition, removeRule, reposition } from '../rule-kinds/rule-order.ts';
import { RuleId } from '../shared/ids.ts';
import { coded } from '../shared/parse.ts';
import { type ExpectedVersions, requireVersion, type VersionMismatch } from '../shared/version.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';
import { changeZone } from '../zones/change-zone.ts';
import type { ZoneAccessError } from '../zones/zone-access.ts';
import type { ZoneCommand } from '../zones/zone-command.ts';
import type { RuleNotFound } from './errors.ts';
import { ruleVersion } from './rule-version.ts';
import { idsOf, inOrder, listChange, type RuleChange, ruleChangeOf, ruleIn } from './rule-write.ts';

/** Where a rule is moved to: exactly one of right before another rule, right after one, or a position. */
export const RuleMove = z
  .strictObject({
    before: RuleId.optional(),
    after: RuleId.optional(),
    position: RulePosition.optional(),
  })
  .refine((move) => Object.values(move).filter((target) => target !== undefined).length === 1, {
    ...coded('rule.move.target', 'Exactly one of "before", "after" and "position" is needed.'),
  });
export type RuleMove = z.output<typeof RuleMove>;

export type MoveRuleError = ZoneAccessError | RuleNotFound | VersionMismatch | InvalidInput;
export type MoveRule = <K extends RuleKind>(
  caller: Caller,
  list: RuleList<K>,
  id: RuleId,
  move: RuleMove,
  expected: ExpectedVersions,
) => ResultAsync<RuleChange<K>, MoveRuleError>;

/** Moves one rule; the order of the others never changes. A move to where the rule is leaves no trace. */
export const moveRule =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): MoveRule =>
  (caller, { zone, kind }, id, move, expected) =>
    changeZone(unitOfWork, caller, zone, ruleMove(kind, id, move, expected)).andThen(ruleChangeOf(kind, id));

/** The command that moves a rule. */
const ruleMove = (
  kind: RuleKind,
  id: RuleId,
  move: RuleMove,
  expected: ExpectedVersions,
): ZoneCommand<RuleNotFound | VersionMismatch | InvalidInput> => ({
  permission: 'rules.write',
  decide: ({ state }) =>
    ruleIn(state, kind, id)
      .andThen((rule) => requireVersion(expected, ruleVersion(rule)))
      .andThen(() => moved(idsOf(state.rules[kind]), id, move))
      .map((order) => listChange<RuleKind>(state, kind, 'moved', { rules: inOrder(state.rules[kind], order), id })),
});

function moved(order: RuleOrder, id: RuleId, { before, after, position }: RuleMove): Result<RuleOrder, InvalidInput> {
  if (position !== undefined) return ok(reposition(order, id, position));
  const [member, neighbour] = before === undefined ? (['after', after] as const) : (['before', before] as const);
  if (neighbour === id) return ok(order);
  const others = removeRule(order, id);
  const place = neighbour === undefined ? -1 : others.indexOf(neighbour);
  if (place < 0) return err(invalidInput([violation(member, 'rule.unknown', 'The zone has no such rule.')]));
  return ok(insertRule(others, id, RulePosition.parse(member === 'before' ? place + 1 : place + 2)));
}
