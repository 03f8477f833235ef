import type { Finding, FindingCode, Severity } from '@zonewright/engine';

/** Which findings are asked for; an empty list and undefined ask for all. */
export interface FindingFilter {
  readonly codes: readonly FindingCode[];
  readonly severities: readonly Severity[];
  readonly verdicts: readonly Finding['verdict'][];
  /** Id of a rule that is named in `rules`. */
  readonly rule: string | undefined;
}

/** Whether a finding is among those asked for. */
export const isWanted =
  ({ codes, severities, verdicts, rule }: FindingFilter) =>
  ({ code, severity, verdict, rules }: Finding): boolean =>
    isAmong(codes, code) &&
    isAmong(severities, severity) &&
    isAmong(verdicts, verdict) &&
    (rule === undefined || rules.some(({ id }) => id === rule));

const isAmong = <T>(wanted: readonly T[], value: T): boolean => wanted.length === 0 || wanted.includes(value);

/** How bad a finding may be, worst first. */
export const findingSeverities = ['error', 'warning', 'info'] as const satisfies readonly Severity[];

/** How sure a finding may be. */
export const findingVerdicts = ['proven', 'undecided'] as const satisfies readonly Finding['verdict'][];

// A record has to name all of them; `Object.keys` forgets which there are.
/** Every code of findings. */
export const findingCodes = Object.keys({
  'rule.neverMatches': true,
  'rule.alwaysMatches': true,
  'rule.unreachable': true,
  'rule.equal': true,
  'override.dead': true,
  'settings.contradiction': true,
  'redirect.loop': true,
  'cacheKey.hazard': true,
  'rule.hiddenByRewrite': true,
} satisfies Record<FindingCode, true>) as readonly FindingCode[];
