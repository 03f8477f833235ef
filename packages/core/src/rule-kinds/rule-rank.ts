import type { RuleId } from '../shared/ids.ts';
import type { RuleOrder } from './rule-order.ts';

/**
 * The sort key of a rule in its list; ranks are distinct. Only their relative order matters, so moving a rule changes
 * just its own rank; positions are derived by counting.
 */
export type RuleRank = number;

/**
 * The ranks to assign so that a list gets an order: rules without a rank get ranks between those of their neighbours. If
 * there is no number left between two neighbours, the whole list is renumbered.
 */
export function ranksFor(
  order: RuleOrder,
  rankOf: (id: RuleId) => RuleRank | undefined,
): ReadonlyMap<RuleId, RuleRank> {
  const assigned: (readonly [RuleId, RuleRank])[] = [];
  let lower: RuleRank | undefined;
  let unranked: RuleId[] = [];
  for (const id of order) {
    const rank = rankOf(id);
    if (rank === undefined) unranked.push(id);
    else {
      assigned.push(...spread(unranked, lower, rank));
      [lower, unranked] = [rank, []];
    }
  }
  const found = new Map([...assigned, ...spread(unranked, lower)]);
  return isRising(order.map((id) => rankOf(id) ?? found.get(id) ?? Number.NaN))
    ? found
    : new Map(order.map((id, index) => [id, index + 1]));
}

const isRising = (ranks: readonly RuleRank[]): boolean =>
  ranks.every((rank, index) => index === 0 || (ranks[index - 1] ?? Number.NaN) < rank);

/** Ranks of rules between two neighbours; integers at the ends of a list. */
const spread = (ids: readonly RuleId[], lower?: RuleRank, upper?: RuleRank): readonly (readonly [RuleId, RuleRank])[] =>
  ids.map((id, index) => [id, rankBetween({ place: index + 1, count: ids.length }, lower, upper)]);

function rankBetween(
  { place, count }: { readonly place: number; readonly count: number },
  lower?: RuleRank,
  upper?: RuleRank,
): RuleRank {
  if (upper === undefined) return Math.floor(lower ?? 0) + place;
  return lower === undefined ? Math.ceil(upper) - count - 1 + place : lower + ((upper - lower) * place) / (count + 1);
}
