import type { RuleId } from '../shared/ids.ts';
import type { RuleOrder } from './rule-order.ts';

/**
 * The sort key of a rule in its list; ranks are distinct. Only their relative order matters, so moving a rule changes
 * just its own rank; positions are derived by counting.
 */
export type RuleRank = number;

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
