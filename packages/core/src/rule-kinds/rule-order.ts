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
  if (isSameOrder(before, after)) return [];
  const places = new Map(before.map((id, index) => [id, index]));
  return after.flatMap((id, index) => (places.get(id) === index ? [] : [{ id, order: index + 1 }]));
}

/**
 * The rules that are put elsewhere when `before` becomes `after`, as few as possible and in the order of `after`; new
 * ones are among them. The others keep their order among themselves.
 */
export function placedBetween(before: RuleOrder, after: RuleOrder): readonly RuleId[] {
  if (isSameOrder(before, after)) return [];
  const places = new Map(before.map((id, index) => [id, index]));
  const known = after.filter((id) => places.has(id));
  const kept = longestRise(known.map((id) => places.get(id) ?? 0));
  const staying = new Set(known.filter((_, index) => kept.has(index)));
  return after.filter((id) => !staying.has(id));
}

const isSameOrder = (one: RuleOrder, other: RuleOrder): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);

/** The places of a longest part of distinct numbers that rises (patience sorting). */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  /** The ends of rises: the one of each length whose last number is the least. */
  const ends: { readonly index: number; readonly number: number; readonly before: Rise | undefined }[] = [];
  numbers.forEach((number, index) => {
    const length = firstAtLeast(ends, number);
    ends[length] = { index, number, before: ends[length - 1] };
  });
  const places = new Set<number>();
  for (let rise: Rise | undefined = ends.at(-1); rise !== undefined; rise = rise.before) places.add(rise.index);
  return places;
}

interface Rise {
  readonly index: number;
  readonly before: Rise | undefined;
}

/** The place of the first end that is not below the number. */
function firstAtLeast(ends: readonly { readonly number: number }[], number: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ends[middle]?.number ?? number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Puts rules at their places in the wanted order, 1-based; the others keep their order among themselves. */
export function placed(order: RuleOrder, places: ReadonlyMap<RuleId, number>): RuleOrder {
  const result = order.filter((id) => !places.has(id));
  const ascending = [...places].toSorted(([, one], [, other]) => one - other);
  for (const [id, place] of ascending) result.splice(place - 1, 0, id);
  return result;
}
