import { failsOf, reachedIn } from '../findings/analysed-rules.ts';
import type { Clauses } from '../solver/clauses.ts';
import type { Lists } from './lists.ts';
import type { Rewrite } from './rewriting.ts';
import type { Comparison, Route } from './search.ts';
import type { Side } from './side.ts';

/** Conditions for a rewrite rule, or none, to apply. */
export const rewrittenBy = ({ rules: { rewriteRules } }: Side, rule: Rewrite): Clauses =>
  rule === undefined ? failsOf(rewriteRules) : reachedIn(rewriteRules, rule);

const isRewriting = (rule: Rewrite): boolean => rule === undefined || rule.content.type === 'rewrite';

/** Whether neither rule is a redirect. */
export const goesOn = ({ before, after }: Pick<Route, 'before' | 'after'>): boolean =>
  isRewriting(before) && isRewriting(after);

/** Finds the routes that some request takes. */
export function routesOf(comparison: Comparison, { rewrites: { only, partner } }: Lists) {
  const { before: one, after: other } = comparison;
  const route = (before: Rewrite, after: Rewrite, isSame: boolean): Route => {
    const isEqual = only.before.length + only.after.length === 0;
    return {
      clauses: () => [...rewrittenBy(one, before), ...(isEqual ? [] : rewrittenBy(other, after))],
      before,
      after,
      isSame,
    };
  };
  const pairs = one.rules.rewriteRules.flatMap((rule) => {
    const counterpart = partner(rule);
    return counterpart === undefined ? [] : [[rule, counterpart] as const];
  });
  const others = one.rules.rewriteRules.filter((each) => !only.before.includes(each));
  const different: Route[] = [];
  const seek = (before: Rewrite, after: Rewrite): void => {
    if (comparison.isOver) return;
    const candidate = route(before, after, false);
    if (!comparison.isImpossible(candidate.clauses())) different.push(candidate);
  };
  for (const rule of only.before) for (const each of [undefined, ...other.rules.rewriteRules]) seek(rule, each);
  for (const rule of only.after) for (const each of [undefined, ...others]) seek(each, rule);
  // What one of them reads as another path takes another route, even if no rule applies.
  if (!comparison.isReadAlike) seek(undefined, undefined);
  const alike = pairs.map((pair) => route(...pair, true));
  return {
    /** Neither configuration redirects, and both give every request the same address; unrewritten requests first. */
    same: comparison.isReadAlike ? [route(undefined, undefined, true), ...alike.filter(goesOn)] : [],
    /** The same redirect applies in both. */
    redirected: alike.filter((each) => !goesOn(each)),
    /** Different rules apply, or none in one of them. */
    different,
  };
}

/** The routes of requests through the rewrite rules of both configurations. */
export type Routes = ReturnType<typeof routesOf>;
