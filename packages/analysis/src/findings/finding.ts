import type { Finding, FindingCode, RuleReference, Severity } from '@zonewright/core';
import { type RuleListName, utf8 } from '@zonewright/engine';
import { sha256 } from '../texts/sha256.ts';

const severities: Readonly<Record<FindingCode, Severity>> = {
  'rule.neverMatches': 'error',
  'rule.alwaysMatches': 'info',
  'rule.unreachable': 'error',
  'rule.equal': 'info',
  'override.dead': 'warning',
  'settings.contradiction': 'warning',
  'redirect.loop': 'error',
  'cacheKey.hazard': 'warning',
  'rule.hiddenByRewrite': 'warning',
};

type Draft = Omit<Finding, 'id' | 'severity' | 'verdict'> & Partial<Pick<Finding, 'severity' | 'verdict'>>;

/** Creates a finding. */
export function finding(draft: Draft): Finding {
  const { code, rules, members } = draft;
  const name = JSON.stringify([code, rules.map(({ id }) => id), members]);
  return { id: sha256(name).slice(0, 32), severity: severities[code], verdict: 'proven', ...draft };
}

const lists: readonly RuleListName[] = ['accessRules', 'rewriteRules', 'configurationRules', 'securityScenarios'];
const grades: readonly Severity[] = ['error', 'warning', 'info'];

/** Sorts findings for a result; `placeOf` returns the position of a rule in its list. */
export function inOrder(all: readonly Finding[], placeOf: (rule: RuleReference) => number): readonly Finding[] {
  const ranks = ({ severity, rules: [first] }: Finding): readonly number[] => [
    grades.indexOf(severity),
    first === undefined ? 0 : lists.indexOf(first.list),
    first === undefined ? 0 : placeOf(first),
  ];
  const text = ({ code, members }: Finding): string => utf8([code, ...members].join('\n'));
  return all.toSorted((one, other) => {
    const others = ranks(other);
    const difference = ranks(one)
      .map((rank, at) => rank - (others[at] ?? 0))
      .find((each) => each !== 0);
    return difference ?? (text(one) < text(other) ? -1 : text(one) > text(other) ? 1 : 0);
  });
}
