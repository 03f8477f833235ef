import type { Finding } from '@zonewright/core';
import { type ConditionSet, type FieldName, fieldOf } from '@zonewright/engine';
import type { AnalysedRule } from './analysed-rules.ts';
import { finding, named } from './finding.ts';
import { writes } from './setting-findings.ts';
import type { ZoneAnalysis } from './zone-analysis.ts';

type Rule = AnalysedRule<{ readonly conditions: ConditionSet }>;

/** Fields that look at the path. */
const pathFields: ReadonlySet<FieldName> = new Set(['uri', 'url', 'extension']);
/** Settings that protect what rules select by its path. */
const protecting = ['basicAuth', 'securityEnabled', 'customPagesMaintenanceActive'] as const;

/**
 * Rules that protect a path in a zone that reads paths by RFC 3986 alone: an origin server that merges slashes or decodes
 * `%2F` serves what they protect under other paths. `isIdle` tells rules that no request reaches.
 */
export function ambiguousPaths(
  { configuration: { settings }, rules: { accessRules, configurationRules } }: ZoneAnalysis,
  isIdle: (rule: AnalysedRule) => boolean,
): readonly Finding[] {
  if (settings.pathNormalization === 'strict') return [];
  const protectors = configurationRules.filter((rule) => protecting.some((key) => writes(rule, key)));
  return [...accessRules, ...protectors].flatMap((rule: Rule) => (isIdle(rule) ? [] : ambiguousPath(rule)));
}

function ambiguousPath(rule: Rule): readonly Finding[] {
  const { leaves } = rule.content.conditions;
  const members = rule.leaves.filter((_, at) => {
    const leaf = leaves[at];
    return leaf !== undefined && pathFields.has(fieldOf(leaf.field));
  });
  if (members.length === 0) return [];
  return [
    finding({
      code: 'path.ambiguous',
      message: `An origin server that merges slashes or decodes %2F serves what ${named(rule)} selects under paths that the rule does not match, because pathNormalization is rfc3986.`,
      rules: [rule],
      members,
    }),
  ];
}
