import { sha256 } from '../../cache/sha256.ts';
import type { RuleListName } from '../../phases/names.ts';
import { utf8 } from '../../request/bytes.ts';
import type { Witness } from '../witness.ts';

/** What a finding may say. */
export type FindingCode =
  | 'rule.neverMatches'
  | 'rule.alwaysMatches'
  | 'rule.unreachable'
  | 'rule.equal'
  | 'override.dead'
  | 'settings.contradiction'
  | 'redirect.loop'
  | 'cacheKey.hazard'
  | 'rule.hiddenByRewrite';

/** How serious it is. */
export type Severity = 'error' | 'warning' | 'info';

/** A rule by its list and id. */
export interface RuleReference {
  readonly list: RuleListName;
  readonly id: string;
}

/** One thing that is true of a configuration for all requests, or could not be decided. */
export interface Finding {
  /** 32 hexadecimal digits, made of code, rules and members. */
  readonly id: string;
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly verdict: 'proven' | 'undecided';
  /** One sentence for people. */
  readonly message: string;
  /** The rule it is about first, then the others concerned by position. */
  readonly rules: readonly RuleReference[];
  /** Places in the zone document. */
  readonly members: readonly string[];
  /** The rules that cause it; none of them is superfluous. */
  readonly because?: readonly RuleReference[];
  /** What a cache key leaves out. */
  readonly missing?: readonly string[];
  /** A request that shows it, which has been evaluated. */
  readonly witness?: Witness;
  /** The second request of a pair. */
  readonly counterpart?: Witness;
}

/** What is known of a configuration. */
export interface Findings {
  /** Every finding of the codes that are decided for all rules was decided: what is not listed does not hold. */
  readonly complete: boolean;
  readonly findings: readonly Finding[];
}

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

/** The only way to make a finding. */
export function finding(draft: Draft): Finding {
  const { code, rules, members } = draft;
  const name = JSON.stringify([code, rules.map(({ id }) => id), members]);
  return { id: sha256(utf8(name)).slice(0, 32), severity: severities[code], verdict: 'proven', ...draft };
}

const lists: readonly RuleListName[] = ['accessRules', 'rewriteRules', 'configurationRules', 'securityScenarios'];
const grades: readonly Severity[] = ['error', 'warning', 'info'];

/** Findings in the order of answers; `placeOf` gives the position of a rule in its list. */
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
