import type { ConditionSet } from '../conditions/compiled-conditions.ts';
import type { Settings, SomeSettings } from '../settings/setting-table.ts';
import type { Backends } from './backends.ts';

/** What every rule has. */
export interface RuleBase {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** How the path of a request is compared with the source of a rewrite rule. */
export const rewriteOperators = ['equals', 'starts_with', 'regex', 'regex_ci'] as const;
/** One of these ways. */
export type RewriteOperator = (typeof rewriteOperators)[number];

/** Statuses of redirects (RFC 9110 section 15.4). */
export const redirectStatuses = [301, 302, 303, 307, 308] as const;
/** One of these statuses. */
export type RedirectStatus = (typeof redirectStatuses)[number];

/** Gives a request another path, or sends the client elsewhere. */
export interface RewriteRule extends RuleBase {
  readonly operator: RewriteOperator;
  readonly sourcePattern: string;
  readonly target: string;
  readonly type: 'rewrite' | 'redirect';
  /** Of a redirect. */
  readonly statusCode: RedirectStatus;
  readonly preserveQueryString: boolean;
  /** Null: none. */
  readonly conditions: ConditionSet | null;
}

/** Replaces settings for the requests it applies to. */
export interface ConfigurationRule extends RuleBase {
  readonly conditions: ConditionSet;
  readonly stopOnMatch: boolean;
  readonly settingsOverrides: SomeSettings;
}

/** What an access rule does with a request. */
export const accessActions = ['allow', 'block', 'challenge', 'skip'] as const;
/** One of these actions. */
export type AccessAction = (typeof accessActions)[number];

/** The checks that an access rule can spare a request, in the order in which answers list them. */
export const skipTargets = ['waf', 'rateLimiting', 'scenarios', 'underAttack', 'ipLists'] as const;
/** One of these checks. */
export type SkipTarget = (typeof skipTargets)[number];

/** Decides who may pass. */
export interface AccessRule extends RuleBase {
  readonly conditions: ConditionSet;
  readonly action: AccessAction;
  readonly skipTargets: readonly SkipTarget[];
  readonly stopOnMatch: boolean;
}

/** Watches requests; what it does about them is not part of evaluation. */
export interface SecurityScenario extends RuleBase {
  readonly filter: ConditionSet;
  /** The members as written, without `id`, `name`, `description` and `enabled`. */
  readonly written: Readonly<Record<string, unknown>>;
}

/** Everything that decides what happens to a request, checked. */
export interface Configuration {
  readonly settings: Settings;
  readonly rewriteRules: readonly RewriteRule[];
  readonly configurationRules: readonly ConfigurationRule[];
  readonly accessRules: readonly AccessRule[];
  readonly securityScenarios: readonly SecurityScenario[];
  readonly backends: Backends;
  /** The names of the users that basic authentication may let pass, by id. */
  readonly basicAuthUsers: ReadonlyMap<string, string>;
}
