/** A three-valued result: with incomplete facts, it may be unknown, and is never guessed. */
export type Tri = 'true' | 'false' | 'unknown';

/** A known result. */
export const triOf = (known: boolean): Tri => (known ? 'true' : 'false');

/** Negation; unknown stays unknown. */
export const not = (result: Tri): Tri => (result === 'unknown' ? result : triOf(result === 'false'));

/** False if any is false, else unknown if any is unknown, else true. */
export function and(...results: readonly Tri[]): Tri {
  let all: Tri = 'true';
  for (const each of results) {
    if (each === 'false') return each;
    if (each === 'unknown') all = each;
  }
  return all;
}

/** True if any is true, else unknown if any is unknown, else false. */
export function or(...results: readonly Tri[]): Tri {
  let any: Tri = 'false';
  for (const each of results) {
    if (each === 'true') return each;
    if (each === 'unknown') any = each;
  }
  return any;
}
