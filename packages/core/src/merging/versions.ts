import { isSame, type Json } from '../shared/merge-patch.ts';

/** The same place in three documents; undefined: it is not there. */
export interface Versions<T> {
  /** What both sides began with. */
  readonly base: T | undefined;
  /** The zone as it is. */
  readonly theirs: T | undefined;
  /** The draft. */
  readonly yours: T | undefined;
}

/** One side of a merge. */
export type Side = 'yours' | 'theirs';

/** The side that a place comes from which at most one side changed, or both in the same way; undefined: a conflict. */
export function settledSide({ base, theirs, yours }: Versions<Json>): Side | undefined {
  if (isSame(yours, base) || isSame(yours, theirs)) return 'theirs';
  return isSame(theirs, base) ? 'yours' : undefined;
}
