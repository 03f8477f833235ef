import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { RuleId } from '../../kernel/shared/ids.ts';
import { coded } from '../../kernel/shared/parse.ts';
import { type InvalidInput, invalidInput } from '../../kernel/shared/violation.ts';
import { unknownRule } from '../rule-kinds/rule-lists.ts';
import { insertRule, type RuleOrder, RulePosition, removeRule, reposition } from '../rule-kinds/rule-order.ts';

/** Directly before or after another rule, or a position. */
export const rulePlacementMembers = {
  before: RuleId.optional(),
  after: RuleId.optional(),
  position: RulePosition.optional(),
} as const;

/** Where to put a rule; at most one of the members is set. */
export interface RulePlacement {
  readonly before?: RuleId | undefined;
  readonly after?: RuleId | undefined;
  readonly position?: RulePosition | undefined;
}

/** How many of the members are set. */
export const placementCount = ({ before, after, position }: RulePlacement): number =>
  [before, after, position].filter((target) => target !== undefined).length;

/** The violation if a move does not have exactly one target. */
export const exactlyOnePlacement = coded(
  'rule.move.target',
  'Exactly one of "before", "after" and "position" is needed.',
);

/** Where to move a rule: exactly one of the members is required. */
export const RuleMove = z
  .strictObject(rulePlacementMembers)
  .refine((move) => placementCount(move) === 1, exactlyOnePlacement);
export type RuleMove = z.output<typeof RuleMove>;

/** Moves a rule; the relative order of the others never changes. Violation paths are relative to the place. */
export function movedRule(
  order: RuleOrder,
  id: RuleId,
  { before, after, position }: RulePlacement,
): Result<RuleOrder, InvalidInput> {
  if (position !== undefined) return ok(reposition(order, id, position));
  const [member, neighbour] = before === undefined ? (['after', after] as const) : (['before', before] as const);
  if (neighbour === id) return ok(order);
  const others = removeRule(order, id);
  const place = neighbour === undefined ? -1 : others.indexOf(neighbour);
  if (place < 0) return err(invalidInput([unknownRule(member)]));
  return ok(insertRule(others, id, RulePosition.parse(member === 'before' ? place + 1 : place + 2)));
}
