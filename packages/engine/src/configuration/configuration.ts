import type { ConditionSet } from '../conditions/compiled-conditions.ts';
import type { Settings, SomeSettings } from '../settings/setting-table.ts';
import type { Backends } from './backends.ts';

/** The members of every rule. */
export interface RuleBase {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** How the request path is compared with the source of a rewrite rule. */
export const rewriteOperators = ['equals', 'starts_with', 'regex', 'regex_ci'] as const;
/** One of `rewriteOperators`. */
export type RewriteOperator = (typeof rewriteOperators)[number];

/** Redirect status codes (RFC 9110 section 15.4). */
export const redirectStatuses = [301, 302, 303, 307, 308] as const;
/** One of `redirectStatuses`. */
export type RedirectStatus = (typeof redirectStatuses)[number];

/** Rewrites the path of a request or redirects the client. */
export interface RewriteRule extends RuleBase {
  readonly operator: RewriteOperator;
  readonly sourcePattern: string;
  readonly target: string;
  readonly type: 'rewrite' | 'redirect';
  /** For redirects. */
  readonly statusCode: RedirectStatus;
  readonly preserveQueryString: boolean;
  /** Null: none. */
  readonly conditions: ConditionSet | null;
}

/** Overrides settings for matching requests. */
export interface ConfigurationRule extends RuleBase {
  readonly conditions: ConditionSet;
  readonly stopOnMatch: boolean;
  readonly settingsOverrides: SomeSettings;
}

/** What an access rule does with a request. */
export const accessActions = ['allow', 'block', 'challenge', 'skip'] as const;
/** One of `accessActions`. */
export type AccessAction = (typeof accessActions)[number];

/** The checks that an access rule lets a request skip, in the order of evaluations. */
export const skipTargets = ['waf', 'rateLimiting', 'scenarios', 'underAttack', 'ipLists'] as const;
/** One of `skipTargets`. */
export type SkipTarget = (typeof skipTargets)[number];

/** Controls access. */
export interface AccessRule extends RuleBase {
  readonly conditions: ConditionSet;
  readonly action: AccessAction;
  readonly skipTargets: readonly SkipTarget[];
  readonly stopOnMatch: boolean;
}

/** Observes requests; its action is not part of the evaluation. */
export interface SecurityScenario extends RuleBase {
  readonly filter: ConditionSet;
  /** The members as written, except `id`, `name`, `description` and `enabled`. */
  readonly written: Readonly<Record<string, unknown>>;
}

/** Everything that decides what happens to a request, validated. */
export interface Configuration {
  readonly settings: Settings;
  readonly rewriteRules: readonly RewriteRule[];
  readonly configurationRules: readonly ConfigurationRule[];
  readonly accessRules: readonly AccessRule[];
  readonly securityScenarios: readonly SecurityScenario[];
  readonly backends: Backends;
  /** The names of the zone's basic-auth users, by id. */
  readonly basicAuthUsers: ReadonlyMap<string, string>;
}
