import { z } from 'zod';
import type { RuleId } from '../shared/ids.ts';

/** Evaluation position of a rule inside its zone: 1-based, no gaps (interface, "Configuration rule update", rule 3). */
export const RulePosition = z
  .int()
  .overwrite((position) => (position < 1 ? 1 : position))
  .brand<'RulePosition'>();
export type RulePosition = z.infer<typeof RulePosition>;

/**
 * The order of a zone's rules: every rule once, at its position. Positions are stored nowhere else, so gaps and
 * duplicates cannot be represented.
 */
export type RuleOrder = readonly RuleId[];

/** The order of the rules in a list. */
export const orderOf = (rules: readonly { readonly id: RuleId }[]): RuleOrder => rules.map(({ id }) => id);

/** Inserts a rule at a position, shifting later rules down. Without a position, or past the end, it is appended. */
export function insertRule(order: RuleOrder, id: RuleId, at?: RulePosition): RuleOrder {
  const index = at === undefined ? order.length : at - 1;
  return [...order.slice(0, index), id, ...order.slice(index)];
}

/** Moves one rule; past the end means last. The relative order of the others never changes. */
export const reposition = (order: RuleOrder, id: RuleId, to: RulePosition): RuleOrder =>
  insertRule(removeRule(order, id), id, to);

/** Removes a rule; later rules move up. */
export const removeRule = (order: RuleOrder, id: RuleId): RuleOrder => order.filter((other) => other !== id);

/** A rule whose position changed. */
export interface PositionChange {
  readonly id: RuleId;
  readonly order: number;
}

/** The rules whose position in `after` differs from `before`, new ones included, in evaluation order. */
export function changedPositions(before: RuleOrder, after: RuleOrder): readonly PositionChange[] {
  return after.map((id, index) => ({ id, order: index + 1 })).filter(({ id, order }) => before[order - 1] !== id);
}

/** The index of each rule. */
export function indexesIn(order: RuleOrder): ReadonlyMap<RuleId, number> {
  const indexes = new Map<RuleId, number>();
  for (const [index, id] of order.entries()) indexes.set(id, index);
  return indexes;
}

/**
 * A minimal set of rules to move or insert to turn `before` into `after`, in the order of `after`. The others keep
 * their relative order.
 */
export function movesBetween(before: RuleOrder, after: RuleOrder): readonly RuleId[] {
  if (isSameOrder(before, after)) return [];
  const indexes = indexesIn(before);
  const staying = longestIncreasing(after.map((id) => indexes.get(id)));
  return after.filter((_, index) => !staying.has(index));
}

const isSameOrder = (one: RuleOrder, other: RuleOrder): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);

/** The indexes of a longest increasing subsequence of distinct numbers (patience sorting). */
function longestIncreasing(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  /** For each length, the subsequence whose last number is smallest. */
  const ends: Rise[] = [];
  numbers.forEach((number, index) => {
    if (number === undefined) return;
    const length = (ends.at(-1)?.number ?? -1) < number ? ends.length : firstAtLeast(ends, number);
    ends[length] = { index, number, before: ends[length - 1] };
  });
  const indexes = new Set<number>();
  for (let rise: Rise | undefined = ends.at(-1); rise !== undefined; rise = rise.before) indexes.add(rise.index);
  return indexes;
}

interface Rise {
  readonly index: number;
  readonly number: number;
  readonly before: Rise | undefined;
}

/** The index of the first end that is at least the number. */
function firstAtLeast(ends: readonly Rise[], number: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ends[middle]?.number ?? number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Moves rules to 1-based positions; the others keep their relative order. */
export function moveAll(order: RuleOrder, places: ReadonlyMap<RuleId, number>): RuleOrder {
  const result = order.filter((id) => !places.has(id));
  const ascending = [...places].toSorted(([, one], [, other]) => one - other);
  for (const [id, place] of ascending) result.splice(place - 1, 0, id);
  return result;
}
