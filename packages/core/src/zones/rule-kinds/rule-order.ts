import { z } from 'zod';
import type { RuleId } from '../../kernel/shared/ids.ts';

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

/**
 * The sort key of a rule in its list; ranks are distinct. Only their relative order matters, so moving a rule changes
 * just its own rank; positions are derived by counting.
 */
export type RuleRank = number;

/** How fine a rank is: the number of binary places that it has. */
export function binaryPlaces(rank: RuleRank): number {
  let places = 0;
  for (let scaled = rank; Number.isFinite(scaled) && !Number.isInteger(scaled); scaled *= 2) places += 1;
  return places;
}

/** The ranks just outside a part of a list; undefined at its ends. */
export interface RankBounds {
  readonly lower: RuleRank | undefined;
  readonly upper: RuleRank | undefined;
}

/**
 * The ranks to assign so that a part of a list gets an order: rules without a rank get ranks between those of their
 * neighbours. Undefined if there is no number left between two neighbours.
 */
export function ranksFor(
  order: RuleOrder,
  rankOf: (id: RuleId) => RuleRank | undefined,
  bounds: RankBounds = { lower: undefined, upper: undefined },
): ReadonlyMap<RuleId, RuleRank> | undefined {
  const assigned: (readonly [RuleId, RuleRank])[] = [];
  for (const { ids, lower, upper } of gapsIn(order, rankOf, bounds)) {
    const ranks = ids.map((_, index) => rankBetween({ place: index + 1, count: ids.length }, lower, upper));
    if (!isRising([lower, ...ranks, upper].filter((rank) => rank !== undefined))) return undefined;
    assigned.push(...ids.map((id, index) => [id, ranks[index] ?? 0] as const));
  }
  return new Map(assigned);
}

/** The ranks of a list that is ranked anew. */
export const ranksByPosition = (order: RuleOrder): ReadonlyMap<RuleId, RuleRank> =>
  new Map(order.map((id, index) => [id, index + 1]));

/** Successive rules without a rank, and the ranks of their neighbours. */
interface Gap extends RankBounds {
  readonly ids: readonly RuleId[];
}

function gapsIn(order: RuleOrder, rankOf: (id: RuleId) => RuleRank | undefined, bounds: RankBounds): readonly Gap[] {
  const gaps: Gap[] = [];
  let { lower } = bounds;
  let ids: RuleId[] = [];
  for (const id of order) {
    const rank = rankOf(id);
    if (rank === undefined) ids.push(id);
    else {
      if (ids.length > 0) gaps.push({ ids, lower, upper: rank });
      [lower, ids] = [rank, ids.length > 0 ? [] : ids];
    }
  }
  return [...gaps, { ids, lower, upper: bounds.upper }];
}

const isRising = (ranks: readonly RuleRank[]): boolean =>
  ranks.every((rank, index) => index === 0 || (ranks[index - 1] ?? Number.NaN) < rank);

/** A rank between two others; integers at the ends of a list. */
function rankBetween(
  { place, count }: { readonly place: number; readonly count: number },
  lower?: RuleRank,
  upper?: RuleRank,
): RuleRank {
  if (upper === undefined) return Math.floor(lower ?? 0) + place;
  return lower === undefined ? Math.ceil(upper) - count - 1 + place : lower + ((upper - lower) * place) / (count + 1);
}
