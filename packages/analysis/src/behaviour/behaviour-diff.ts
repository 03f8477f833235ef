import type { BehaviourChange, BehaviourDiff } from '@zonewright/core';
import type { Configuration } from '@zonewright/engine';
import { isSameJson } from '@zonewright/engine/internals';
import { AnalysisCache } from '../solver/analysis-cache.ts';
import { type AnalysisBudget, defaultBudget } from '../texts/budget.ts';
import { AnswerChanges } from './answer-changes.ts';
import { inOrder, kindOf, maxChanges } from './change.ts';
import { answersAlike, reasons } from './differences.ts';
import { listsOf } from './lists.ts';
import { unlike } from './rewriting.ts';
import { goesOn, type Routes, routesOf } from './routes.ts';
import { Comparison } from './search.ts';
import { seekScenarios, seekSkips } from './set-changes.ts';
import { branchesPastBoth, branchesToAnswers, seekSettings } from './setting-changes.ts';

/**
 * The requests that two configurations, each with its backends, treat differently. Each change was confirmed by
 * evaluating its witness in both; a complete result proves that there are no others. Deterministic.
 */
export function behaviourDiff(
  before: Configuration,
  after: Configuration,
  budget: AnalysisBudget = defaultBudget,
  cache: AnalysisCache = new AnalysisCache(),
): BehaviourDiff {
  const comparison = new Comparison(before, after, budget, cache.begin());
  const lists = listsOf(comparison.before, comparison.after);
  const routes = routesOf(comparison, lists);
  new AnswerChanges(comparison, lists, routes).seek();
  seekRequests(comparison, routes);
  seekSettings(comparison, lists, routes);
  seekSkips(comparison, lists, routes);
  seekScenarios(comparison, routes);
  const { isComplete: complete, changes } = comparison;
  const listed = inOrder(changes).slice(0, maxChanges);
  const harmless = complete && listed.length === 0;
  return { complete, harmless, message: summary(complete, listed, () => isNewOrder(before, after)), changes: listed };
}

/** Searches for requests that are rewritten differently. */
function seekRequests(comparison: Comparison, routes: Routes): void {
  for (const route of routes.different.filter(goesOn)) {
    const clauses = unlike(route.before, route.after, comparison.readings, comparison.predicates);
    if (clauses === undefined) continue;
    const because = { before: reasons(route.before), after: reasons(route.after) };
    const wanted = kindOf({ key: 'request', because });
    comparison.seek({
      client: clauses,
      routes: [route],
      isCovered: !comparison.isReadAlike,
      isShown: (kinds) => kinds.has(wanted),
      branches(views) {
        const past = branchesPastBoth(views);
        if (past !== undefined || answersAlike(views.before, views.after)) return past;
        return branchesToAnswers(comparison, views);
      },
    });
  }
}

function summary(complete: boolean, { length }: readonly BehaviourChange[], isOrder: () => boolean): string {
  if (!complete) {
    return length === 0
      ? 'No difference was found, but the analysis ran out of budget before it could rule out all of them.'
      : `At least ${length} ${length === 1 ? 'kind of request is' : 'kinds of requests are'} treated differently. The analysis ran out of budget before it could rule out others.`;
  }
  if (length === 0) {
    const what = isOrder() ? 'The new order makes no difference to any request.' : 'No request is treated differently.';
    return `${what} This is proven.`;
  }
  return length === 1
    ? 'Exactly one kind of request is treated differently. This is proven.'
    : `Exactly ${length} kinds of requests are treated differently. This is proven.`;
}

const ruleLists = ['accessRules', 'rewriteRules', 'configurationRules', 'securityScenarios'] as const;

/** Whether the configurations differ only in the order of rules. */
function isNewOrder(before: Configuration, after: Configuration): boolean {
  const byId = (configuration: Configuration) =>
    ruleLists.map((list) => configuration[list].toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  const inOrderOf = (configuration: Configuration) => ruleLists.map((list) => configuration[list].map(({ id }) => id));
  return (
    isSameJson(before.settings, after.settings) &&
    isSameJson(byId(before), byId(after)) &&
    !isSameJson(inOrderOf(before), inOrderOf(after))
  );
}
