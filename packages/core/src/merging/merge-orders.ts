import type { Json } from '../shared/merge-patch.ts';
import type { Side, ThreeWay } from './three-way.ts';

/** The ids of an order; empty if it is not a list. */
const idsIn = (order: Json | undefined): readonly string[] =>
  // `Array.isArray` does not narrow the union to its read-only array; orders in documents hold only ids.
  Array.isArray(order) ? (order as readonly string[]) : [];

/** The orders reduced to their common ids, which decide whether a side changed the order. */
export function sharedOrders({ base, theirs, yours }: ThreeWay<Json>): ThreeWay<readonly string[]> {
  const known = [base, theirs, yours].flatMap((order) => (order === undefined ? [] : [new Set(idsIn(order))]));
  const shared = (order: Json | undefined) => idsIn(order).filter((id) => known.every((ids) => ids.has(id)));
  return { base: base === undefined ? undefined : shared(base), theirs: shared(theirs), yours: shared(yours) };
}

/**
 * The order of one side with the ids that only the other side has inserted: each directly before its successor in the
 * other order, or at the end.
 */
export function mergedOrder(orders: ThreeWay<Json>, side: Side): readonly string[] {
  const result = [...idsIn(orders[side])];
  const known = new Set(result);
  let next: string | undefined;
  for (const id of idsIn(orders[side === 'yours' ? 'theirs' : 'yours']).toReversed()) {
    if (!known.has(id)) result.splice(next === undefined ? result.length : result.indexOf(next), 0, id);
    next = id;
  }
  return result;
}
