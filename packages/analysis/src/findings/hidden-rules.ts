import type { Finding } from '@zonewright/core';
import { type ConfigurationRule, normalizeQuery, type PathNormalization, type RewriteRule } from '@zonewright/engine';
import { canonicalPath, parseTarget, rewrittenPath } from '@zonewright/engine/internals';
import type { Clauses } from '../solver/clauses.ts';
import type { Literal, Predicates } from '../solver/predicates.ts';
import { withPart } from '../texts/address-automata.ts';
import { oneOfTexts, startingWith } from '../texts/literals.ts';
import { type AnalysedRule, failsOf } from './analysed-rules.ts';
import { finding, named, namesOf } from './finding.ts';
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

/** What is known about the addresses that a rewrite produces; nothing if groups are inserted. */
export function resultOf(
  predicates: Predicates,
  { operator, sourcePattern, target, preserveQueryString }: RewriteRule,
  normalization: PathNormalization,
): Clauses {
  const { path, query } = parseTarget(target);
  const isPlain = (template: typeof path): boolean => template.every((part) => typeof part === 'string');
  const written = path.join('') === '' ? '/' : path.join('');
  const clauses: Clauses[number][] = [];
  if (isPlain(path) && operator !== 'starts_with') {
    clauses.push([predicates.ofPath(rewrittenPath(written, normalization))]);
  } else if (isPlain(path) && keepsBeginning(written, sourcePattern)) {
    const start = rewrittenPath(canonicalPath('starts_with', written) ?? '/', normalization);
    clauses.push([predicates.ofAddress(`start ${start}`, ['path'], () => withPart('path', startingWith(start)))]);
  }
  if (isPlain(query) && !preserveQueryString) {
    const own = normalizeQuery(query.join(''));
    clauses.push([queryEquals(predicates, own)]);
  }
  return clauses;
}

/** The query equals this canonical one. */
export const queryEquals = (predicates: Predicates, query: string): Literal =>
  predicates.ofAddress(`query ${query}`, ['query'], () => withPart('query', oneOfTexts([query])));

/** Whether appending text cannot turn the end of the target into a dot segment or a percent-triplet. */
function keepsBeginning(written: string, source: string): boolean {
  const isWhole = source.endsWith('/') || /[^/.%]$/.test(written);
  return isWhole && /^\/[A-Za-z0-9_/-]*$/.test(written) && !written.startsWith('//');
}
