import type { Finding, FindingCode, RuleReference, Severity, Witness } from '@zonewright/core';
import { type RuleListName, utf8 } from '@zonewright/engine';
import { sha256 } from '../texts/sha256.ts';
import { type AnalysedRule, referenceTo } from './analysed-rules.ts';

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
  'path.ambiguous': 'warning',
};

interface Draft
  extends Omit<Finding, 'id' | 'severity' | 'verdict' | 'rules' | 'because' | 'witness'>,
    Partial<Pick<Finding, 'severity' | 'verdict'>> {
  readonly rules: readonly AnalysedRule[];
  readonly because?: readonly AnalysedRule[];
  readonly witness?: Witness | undefined;
}

/** Creates a finding. */
export function finding({ rules, because = [], witness, ...draft }: Draft): Finding {
  const { code, members } = draft;
  const name = JSON.stringify([code, rules.map(({ id }) => id), members]);
  return {
    id: sha256(utf8(name)).slice(0, 32),
    severity: severities[code],
    verdict: 'proven',
    ...draft,
    rules: rules.map(referenceTo),
    ...(because.length === 0 ? {} : { because: because.map(referenceTo) }),
    ...(witness === undefined ? {} : { witness }),
  };
}

/** A rule as named in a sentence. */
export const named = ({ name }: Pick<AnalysedRule, 'name'>, begins = false): string =>
  `${begins ? 'The' : 'the'} rule “${name}”`;

/** Several rules as named in a sentence. */
export function namesOf(rules: readonly Pick<AnalysedRule, 'name'>[]): string {
  const names = rules.map(({ name }) => `“${name}”`);
  const last = names.at(-1) ?? '';
  return names.length < 2 ? `the rule ${last}` : `the rules ${names.slice(0, -1).join(', ')} and ${last}`;
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
  const keyed = all.map((finding) => ({
    finding,
    ranks: ranks(finding),
    text: utf8([finding.code, ...finding.members].join('\n')),
  }));
  const sorted = keyed.toSorted((one, other) => {
    const difference = one.ranks.map((rank, at) => rank - (other.ranks[at] ?? 0)).find((each) => each !== 0);
    return difference ?? (one.text < other.text ? -1 : one.text > other.text ? 1 : 0);
  });
  return sorted.map(({ finding }) => finding);
}
