import type { Finding } from '@zonewright/core';
import { type ConfigurationRule, normalizeQuery, type PathNormalization, type RewriteRule } from '@zonewright/engine';
import { parseTarget } from '@zonewright/engine/internals';
import type { Clauses } from '../solver/clauses.ts';
import type { Literal, Predicates } from '../solver/predicates.ts';
import { type AnalysedRule, failsOf } from './analysed-rules.ts';
import { finding, named, namesOf } from './finding.ts';
import { pathAfter } from './path-after.ts';
import { outcomeIn, smallest, type ZoneAnalysis } from './zone-analysis.ts';

type Rule = AnalysedRule<ConfigurationRule>;
type Rewrite = AnalysedRule<RewriteRule>;

/**
 * Configuration rules that never match because rewrite rules change the path of every request they would match, and
 * none leads back.
 */
export const hiddenRules = (
  zone: ZoneAnalysis,
  live: readonly Rule[],
  rewrites: readonly Rewrite[],
): readonly Finding[] =>
  rewrites.length === 0 ? [] : live.flatMap((rule) => (zone.isOver ? [] : hidden(zone, rule, rewrites)));

function hidden(zone: ZoneAnalysis, rule: Rule, rewrites: readonly Rewrite[]): readonly Finding[] {
  const { holds } = rule.formula;
  const { pathNormalization } = zone.configuration.settings;
  if (!zone.isImpossible([...holds, ...failsOf(rewrites)], 'rewriteRules')) return [];
  const rewriting = rewrites.filter(({ content }) => content.type === 'rewrite');
  if (
    !rewriting.every((each) =>
      zone.isImpossible([...holds, ...resultOf(zone.predicates, each.content, pathNormalization)], rule.list),
    )
  )
    return [];
  const because = smallest(
    rewrites,
    (some) => !zone.isOver && zone.isImpossible([...holds, ...failsOf(some)], 'rewriteRules'),
  );
  const looking = rule.formula.literals.flatMap(({ predicate: { parts } }, at) =>
    parts?.some((part) => part === 'path' || part === 'query') === true ? (rule.leaves[at] ?? []) : [],
  );
  const witness = shown(zone, rule);
  return [
    finding({
      code: 'rule.hiddenByRewrite',
      message: `No request matches ${named(rule)}: ${namesOf(because)} ${because.length === 1 ? 'rewrites' : 'rewrite'} every request that would.`,
      rules: [rule, ...because],
      members: looking.length > 0 ? looking : [rule.whole],
      because,
      witness,
    }),
  ];
}

function shown(zone: ZoneAnalysis, rule: Rule) {
  const unchanged = zone.without('rewriteRules', () => true);
  return zone.witness(rule.formula.holds, 'rewriteRules', (evaluation, request) => {
    const alone = zone.evaluate(request, unchanged);
    return outcomeIn(evaluation, rule) !== 'matched' && alone !== undefined && outcomeIn(alone, rule) === 'matched';
  });
}

/** What is known about the addresses that a rewrite produces. */
export function resultOf(predicates: Predicates, rule: RewriteRule, normalization: PathNormalization): Clauses {
  const path = pathAfter(rule, normalization);
  const { query } = parseTarget(rule.target);
  const isPlain = query.every((part) => typeof part === 'string');
  const own = isPlain && !rule.preserveQueryString ? normalizeQuery(query.join('')) : undefined;
  return [
    ...(path === undefined ? [] : [[predicates.ofPart(path)]]),
    ...(own === undefined ? [] : [[queryEquals(predicates, own)]]),
  ];
}

/** The query equals this canonical one. */
export const queryEquals = (predicates: Predicates, query: string): Literal =>
  predicates.ofPart({ part: 'query', text: query, isWhole: true });
