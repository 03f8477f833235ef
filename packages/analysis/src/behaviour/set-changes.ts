import type { SettingKey, SkipTarget } from '@zonewright/engine';
import { isSameJson } from '@zonewright/engine/internals';
import { type AnalysedRule, reachedIn } from '../findings/analysed-rules.ts';
import { opposite } from '../solver/predicates.ts';
import {
  type Branches,
  branchesFrom,
  branchesPastRedirect,
  branchesToOthers,
  branchesToSkip,
  decidingKeys,
} from './branches.ts';
import { answersAlike, skipDifferences } from './differences.ts';
import { formulaName, type Lists } from './lists.ts';
import { goesOn, type Routes } from './routes.ts';
import { anyRoute, type Comparison, type Question, type Views } from './search.ts';
import { branchesPastBoth, branchesToAnswers } from './setting-changes.ts';

const sides = [
  ['before', 'after'],
  ['after', 'before'],
] as const;

/**
 * Searches for requests that skip different checks. Different rules are different reasons, so all combinations are
 * searched.
 */
export function seekSkips(comparison: Comparison, { access: { only, partner } }: Lists, routes: Routes): void {
  const isWritten = decidingKeys.some((key) => isWrittenIn(comparison, key));
  const isOneWay = !isWritten && routes.different.length === 0;
  const ways = isOneWay ? [anyRoute] : [...routes.same, ...routes.redirected, ...routes.different];
  const relevant = different(
    [comparison.before, comparison.after].flatMap(({ rules: { accessRules } }) =>
      accessRules.filter(({ stops, content }) => stops || content.action === 'skip'),
    ),
  );
  // Rejected requests get another answer, so nothing else of them is compared.
  const clear = comparison.isReadAlike ? [] : [[opposite(comparison.predicates.ofAmbiguousPath())]];
  for (const [at, other] of sides) {
    for (const rule of comparison[at].skipRules) {
      const counterpart = partner(rule);
      const client = [...clear, ...reachedIn(comparison[at].rules.accessRules, rule)];
      // A rule in both lists is skipped in only one of them only if a rule exclusive to that list stopped it earlier.
      const ending = only[other].filter(({ stops, place }) => stops && place < (counterpart?.place ?? 0));
      const clauses =
        counterpart === undefined
          ? [() => client]
          : ending.map((stop) => () => [...client, ...reachedIn(comparison[other].rules.accessRules, stop)]);
      for (const target of rule.content.skipTargets) {
        for (const each of clauses) {
          if (comparison.isOver) return;
          seekSpared(comparison, { client: each(), routes: ways }, other, target, relevant);
        }
      }
    }
  }
}

/** The rules without those that match the same requests, in the same words, as another one. */
function different<Rule>(rules: readonly AnalysedRule<Rule>[]): readonly AnalysedRule<Rule>[] {
  const byFormula = new Map(rules.map((rule) => [formulaName(rule.formula), rule]));
  return [...byFormula.values()];
}

function seekSpared(
  comparison: Comparison,
  question: Pick<Question, 'client' | 'routes'>,
  at: 'before' | 'after',
  target: SkipTarget,
  relevant: readonly AnalysedRule[],
): void {
  comparison.seek({
    ...question,
    isShown: () => false,
    branches(views, model) {
      const isSkipped = views[at].skipping.some(({ content }) => content.skipTargets.includes(target));
      if (isSkipped) return branchesToSkip(views[at], target);
      const others = branchesToOthers(relevant, model);
      if (answersAlike(views.before, views.after)) return others;
      // Requests that match the same access rules skip the same checks, so with another answer they show nothing new.
      const [difference] = skipDifferences(views.before, views.after);
      if (difference === undefined || comparison.isListed(difference)) return others;
      // Two redirects may or may not lead to the same location.
      if ([views.before, views.after].every(({ evaluation }) => evaluation.disposition === 'redirect'))
        return undefined;
      return [...others, ...branchesToAnswers(comparison, views)];
    },
  });
}

const isWrittenIn = ({ before, after }: Comparison, key: SettingKey): boolean =>
  [before, after].some((side) => side.writers(key).length > 0);

const activating = ['enabled', 'securityEnabled'] as const;

/** Searches for requests that match different scenarios. */
export function seekScenarios(comparison: Comparison, routes: Routes): void {
  const { before, after } = comparison;
  const isWritten = [...activating, ...decidingKeys].some((key) => isWrittenIn(comparison, key));
  const ways = isWritten ? [...routes.same, ...routes.different.filter(goesOn)] : [anyRoute];
  const all = different([...before.rules.securityScenarios, ...after.rules.securityScenarios]);
  for (const [at, other] of sides) {
    const others = comparison[other].rules.securityScenarios;
    for (const scenario of comparison[at].rules.securityScenarios) {
      const same = others.find(({ content }) => isSameJson(content.written, scenario.content.written));
      // The same scenario matches different requests only if paths are read differently.
      if (same !== undefined && comparison.isReadAlike) continue;
      comparison.seek({
        client: [...scenario.formula.holds, ...(same?.formula.fails ?? [])],
        routes: ways,
        isCovered: !comparison.isReadAlike,
        isShown: () => false,
        branches: (views, model) => branchesToScenario(comparison, views, at, () => branchesToOthers(all, model)),
      });
    }
  }
}

function branchesToScenario(
  comparison: Comparison,
  views: Views,
  at: 'before' | 'after',
  different: () => Branches,
): Branches | undefined {
  const past = branchesPastBoth(views);
  if (past !== undefined) return past;
  for (const view of [views.before, views.after]) {
    const { rewrite } = view;
    if (rewrite?.content.type === 'redirect') return branchesPastRedirect(view, rewrite);
  }
  const toWatch = (side: 'before' | 'after'): Branches =>
    views[side].isWatched
      ? []
      : [
          ...activating.flatMap((key) => branchesFrom(views[side], key, side)),
          ...branchesToSkip(views[side], 'scenarios'),
        ];
  if (!views[at].isWatched) return toWatch(at);
  // If scenarios run in only one configuration, another difference explains it; that leaves requests for which both run
  // them.
  const others = [...different(), ...toWatch(at === 'before' ? 'after' : 'before')];
  return answersAlike(views.before, views.after) ? others : [...others, ...branchesToAnswers(comparison, views)];
}
