import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { insertRule, type RuleOrder, RulePosition, removeRule, reposition } from '../rule-kinds/rule-order.ts';
import { RuleId } from '../shared/ids.ts';
import { coded } from '../shared/parse.ts';
import { type InvalidInput, invalidInput, violation } from '../shared/violation.ts';

/** Right before another rule, right after one, or a position. */
export const rulePlaceMembers = {
  before: RuleId.optional(),
  after: RuleId.optional(),
  position: RulePosition.optional(),
} as const;

/** Where a rule is put; at most one of the members says so. */
export interface RulePlace {
  readonly before?: RuleId | undefined;
  readonly after?: RuleId | undefined;
  readonly position?: RulePosition | undefined;
}

/** How many members say where a rule is put. */
export const placesGiven = ({ before, after, position }: RulePlace): number =>
  [before, after, position].filter((target) => target !== undefined).length;

/** Why a rule that is moved needs one place. */
export const exactlyOnePlace = coded('rule.move.target', 'Exactly one of "before", "after" and "position" is needed.');

/** Where a rule is moved to: exactly one of the members is needed. */
export const RuleMove = z.strictObject(rulePlaceMembers).refine((move) => placesGiven(move) === 1, exactlyOnePlace);
export type RuleMove = z.output<typeof RuleMove>;

/** The order with a rule of it moved; the order of the others never changes. Paths are those of the place. */
export function movedRule(
  order: RuleOrder,
  id: RuleId,
  { before, after, position }: RulePlace,
): Result<RuleOrder, InvalidInput> {
  if (position !== undefined) return ok(reposition(order, id, position));
  const [member, neighbour] = before === undefined ? (['after', after] as const) : (['before', before] as const);
  if (neighbour === id) return ok(order);
  const others = removeRule(order, id);
  const place = neighbour === undefined ? -1 : others.indexOf(neighbour);
  if (place < 0) return err(invalidInput([violation(member, 'rule.unknown', 'The zone has no such rule.')]));
  return ok(insertRule(others, id, RulePosition.parse(member === 'before' ? place + 1 : place + 2)));
}
