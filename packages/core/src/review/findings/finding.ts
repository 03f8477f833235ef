import type { HeaderLine, RuleListName } from '@zonewright/engine';

/** Increment whenever the same input may produce a different result, messages aside. */
export const analysisVersion = 2;

/** Every code of findings. */
export const findingCodes = [
  'rule.neverMatches',
  'rule.alwaysMatches',
  'rule.unreachable',
  'rule.equal',
  'override.dead',
  'settings.contradiction',
  'redirect.loop',
  'cacheKey.hazard',
  'rule.hiddenByRewrite',
  'path.ambiguous',
] as const;

/** The kinds of findings. */
export type FindingCode = (typeof findingCodes)[number];

/** Severities of findings, worst first. */
export const findingSeverities = ['error', 'warning', 'info'] as const;

/** The severity of a finding. */
export type Severity = (typeof findingSeverities)[number];

/** The certainty of a finding. */
export const findingVerdicts = ['proven', 'undecided'] as const;

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
  readonly verdict: (typeof findingVerdicts)[number];
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

/** An example request for a finding, in the format that evaluation takes. */
export interface Witness {
  readonly scheme: 'http' | 'https';
  readonly authority: string;
  readonly target: string;
  readonly method: string;
  readonly headers?: readonly HeaderLine[];
  readonly ip: string;
  readonly country: string;
  readonly asn: number | null;
  /** Only for scenarios. */
  readonly status?: number;
}
