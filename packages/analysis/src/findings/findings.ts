import type { FindingCode, Findings } from '@zonewright/core';
import type { Configuration } from '@zonewright/engine';
import { AnalysisCache } from '../solver/analysis-cache.ts';
import { type AnalysisBudget, defaultBudget } from '../texts/budget.ts';
import { ambiguousPaths } from './ambiguous-paths.ts';
import type { AnalysedRule } from './analysed-rules.ts';
import { cacheHazards } from './cache-hazards.ts';
import { inOrder } from './finding.ts';
import { hiddenRules } from './hidden-rules.ts';
import { redirectLoops } from './redirect-loops.ts';
import { ruleFindings } from './rule-findings.ts';
import { contradictions, deadOverrides } from './setting-findings.ts';
import { ZoneAnalysis } from './zone-analysis.ts';

/** What is found of rules that no request reaches, and of which nothing else is said. */
const idling: ReadonlySet<FindingCode> = new Set(['rule.neverMatches', 'rule.unreachable']);

/**
 * The findings of a configuration over all complete requests. Proven findings hold; what exceeded the budget is
 * undecided. Deterministic.
 */
export function findings(
  configuration: Configuration,
  budget: AnalysisBudget = defaultBudget,
  cache: AnalysisCache = new AnalysisCache(),
): Findings {
  const zone = new ZoneAnalysis(configuration, budget, cache.begin());
  const access = ruleFindings(zone, zone.rules.accessRules);
  const rewrites = ruleFindings(zone, zone.rules.rewriteRules);
  const rules = ruleFindings(zone, zone.rules.configurationRules);
  const scenarios = ruleFindings(zone, zone.rules.securityScenarios);
  const hidden = hiddenRules(zone, rules.live, rewrites.live);
  const unseen = new Set(hidden.map(({ rules: [first] }) => first?.id));
  const ofSettings = [
    ...deadOverrides(zone, rules.live),
    ...contradictions(zone, rules.live),
    ...cacheHazards(zone, rules.live),
  ];
  const ofRules = [access, rewrites, rules, scenarios].flatMap((each) => each.findings);
  const idle = new Set(
    ofRules.flatMap(({ code, verdict, rules: [first] }) =>
      first !== undefined && verdict === 'proven' && idling.has(code) ? [first.id] : [],
    ),
  );
  const all = [
    ...ofRules,
    ...ofSettings.filter(({ rules: named }) => !unseen.has(named[0]?.id)),
    ...redirectLoops(zone, rewrites.live),
    ...hidden,
    ...ambiguousPaths(zone, ({ id }) => idle.has(id)),
  ];
  const lists: readonly (readonly AnalysedRule[])[] = Object.values(zone.rules);
  const places = new Map(lists.flat().map(({ id, place }) => [id, place]));
  return {
    complete: !zone.isOver && all.every(({ verdict }) => verdict === 'proven'),
    findings: inOrder(all, ({ id }) => places.get(id) ?? 0),
  };
}
