import { isSame, type Json } from '../shared/merge-patch.ts';

/** The same place in three documents; undefined: absent. */
export interface ThreeWay<T> {
  /** The common ancestor. */
  readonly base: T | undefined;
  /** The current zone. */
  readonly theirs: T | undefined;
  /** The draft. */
  readonly yours: T | undefined;
}

/** One side of a merge. */
export type Side = 'yours' | 'theirs';

/** The side to take a place from if at most one side changed it, or both equally; undefined: a conflict. */
export function trivialSide({ base, theirs, yours }: ThreeWay<Json>): Side | undefined {
  if (isSame(yours, base) || isSame(yours, theirs)) return 'theirs';
  return isSame(theirs, base) ? 'yours' : undefined;
}
