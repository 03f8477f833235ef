import type { RuleId } from '../shared/ids.ts';
import type { RuleOrder } from './rule-order.ts';

/**
 * The sort key of a rule in its list; ranks are distinct. Only their relative order matters, so moving a rule changes
 * just its own rank; positions are derived by counting.
 */
export type RuleRank = number;

/**
 * The ranks to assign so that a list gets an order: rules not in `ranked` get ranks between those of their neighbours.
 * If there is no number left between two neighbours, the whole list is renumbered.
 */
export function ranksFor(order: RuleOrder, ranked: ReadonlyMap<RuleId, RuleRank>): ReadonlyMap<RuleId, RuleRank> {
  const anchors = order.flatMap((id, index) => {
    const rank = ranked.get(id);
    return rank === undefined ? [] : [{ index, rank }];
  });
  const found = new Map<RuleId, RuleRank>();
  let next = 0;
  for (const [index, id] of order.entries()) {
    const [lower, upper] = [anchors[next - 1], anchors[next]];
    const start = lower === undefined ? 0 : lower.index + 1;
    const count = (upper?.index ?? order.length) - start;
    if (upper?.index === index) next += 1;
    else found.set(id, spread(index - start + 1, count, lower?.rank, upper?.rank));
  }
  const all = order.map((id) => ranked.get(id) ?? found.get(id) ?? Number.NaN);
  return all.every((rank, index) => index === 0 || (all[index - 1] ?? Number.NaN) < rank)
    ? found
    : new Map(order.map((id, index) => [id, index + 1]));
}

/** The rank of one of `count` rules between two neighbours; integers at the ends of a list. */
function spread(place: number, count: number, lower: RuleRank | undefined, upper: RuleRank | undefined): RuleRank {
  if (upper === undefined) return Math.floor(lower ?? 0) + place;
  return lower === undefined ? Math.ceil(upper) - count - 1 + place : lower + ((upper - lower) * place) / (count + 1);
}
