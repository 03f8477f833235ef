import { sha256 } from '../../cache/sha256.ts';
import type { RuleListName } from '../../phases/names.ts';
import { utf8 } from '../../request/bytes.ts';
import type { Witness } from '../witness.ts';

/** The kinds of findings. */
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

/** The severity of a finding. */
export type Severity = 'error' | 'warning' | 'info';

/** A rule by list and id. */
export interface RuleReference {
  readonly list: RuleListName;
  readonly id: string;
}

/** A property of a configuration that holds for all requests, or that could not be decided. */
export interface Finding {
  /** 32 hexadecimal digits, derived from code, rules and members. */
  readonly id: string;
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly verdict: 'proven' | 'undecided';
  /** One sentence for people. */
  readonly message: string;
  /** The rule concerned, then others involved, by position. */
  readonly rules: readonly RuleReference[];
  /** Paths in the zone document. */
  readonly members: readonly string[];
  /** A minimal set of rules that cause it. */
  readonly because?: readonly RuleReference[];
  /** What the cache key leaves out. */
  readonly missing?: readonly string[];
  /** An example request that has been evaluated. */
  readonly witness?: Witness;
  /** The second request of a pair. */
  readonly counterpart?: Witness;
}

/** The findings of a configuration. */
export interface Findings {
  /** Whether all findings of the codes decided for all rules could be decided: those not listed do not apply. */
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

/** Creates a finding. */
export function finding(draft: Draft): Finding {
  const { code, rules, members } = draft;
  const name = JSON.stringify([code, rules.map(({ id }) => id), members]);
  return { id: sha256(utf8(name)).slice(0, 32), severity: severities[code], verdict: 'proven', ...draft };
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
