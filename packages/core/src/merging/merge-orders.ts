import type { Json } from '../shared/merge-patch.ts';
import type { Side, Versions } from './versions.ts';

/** Ids in an order; what is no list names none. */
const idsIn = (order: Json | undefined): readonly string[] =>
  // `Array.isArray` does not narrow to the read-only list of the union; orders of documents hold ids alone.
  Array.isArray(order) ? (order as readonly string[]) : [];

/** The orders without what not all of them have: these decide which side an order comes from. */
export function sharedOrders({ base, theirs, yours }: Versions<Json>): Versions<readonly string[]> {
  const known = [base, theirs, yours].flatMap((order) => (order === undefined ? [] : [new Set(idsIn(order))]));
  const shared = (order: Json | undefined) => idsIn(order).filter((id) => known.every((ids) => ids.has(id)));
  return { base: base === undefined ? undefined : shared(base), theirs: shared(theirs), yours: shared(yours) };
}

/**
 * The order of one side with the ids of the other one that it lacks: each directly before the id that comes next in the
 * other order, at the end if none comes.
 */
export function mergedOrder(orders: Versions<Json>, side: Side): readonly string[] {
  const result = [...idsIn(orders[side])];
  const known = new Set(result);
  let next: string | undefined;
  for (const id of idsIn(orders[side === 'yours' ? 'theirs' : 'yours']).toReversed()) {
    if (!known.has(id)) result.splice(next === undefined ? result.length : result.indexOf(next), 0, id);
    next = id;
  }
  return result;
}
