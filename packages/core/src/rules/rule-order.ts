import { z } from 'zod';
import type { RuleId } from '../shared/ids.ts';

/** Evaluation position of a rule inside its zone: 1-based, no gaps (interface, "Configuration rule update", rule 3). */
export const RulePosition = z
  .int()
  .overwrite((position) => (position < 1 ? 1 : position))
  .brand<'RulePosition'>();
export type RulePosition = z.infer<typeof RulePosition>;

/**
 * The order of a zone's rules: every rule once, the position of a rule is its place in the list.
 * There is no other record of positions, so gaps and duplicates cannot be expressed.
 */
export type RuleOrder = readonly RuleId[];

/** Puts a new rule at a position; later rules shift down. Without a position, or past the end, it comes last. */
export function insertRule(order: RuleOrder, id: RuleId, at?: RulePosition): RuleOrder {
  const index = at === undefined ? order.length : at - 1;
  return [...order.slice(0, index), id, ...order.slice(index)];
}

/** Moves one rule; past the end means last. The order of the others never changes. */
export const reposition = (order: RuleOrder, id: RuleId, to: RulePosition): RuleOrder =>
  insertRule(removeRule(order, id), id, to);

/** Takes a rule out; later rules move up. */
export const removeRule = (order: RuleOrder, id: RuleId): RuleOrder => order.filter((other) => other !== id);

/** A rule whose position is not what it was. */
export interface PositionChange {
  readonly id: RuleId;
  readonly order: number;
}

/** The rules of `after` that stand elsewhere than in `before`, new ones included, in evaluation order. */
export function changedPositions(before: RuleOrder, after: RuleOrder): readonly PositionChange[] {
  const places = new Map(before.map((id, index) => [id, index]));
  return after.flatMap((id, index) => (places.get(id) === index ? [] : [{ id, order: index + 1 }]));
}
