import type { RuleKind } from './rule-kinds.ts';

/** The zone member that holds the rules of each kind; the limit on their number has the same name. */
export const ruleListNames = {
  configurationRule: 'configurationRules',
  rewriteRule: 'rewriteRules',
  accessRule: 'accessRules',
  securityScenario: 'securityScenarios',
} as const satisfies Record<RuleKind, string>;

/** A zone member that holds a list of rules. */
export type RuleListName = (typeof ruleListNames)[RuleKind];

/** All kinds, in the order in which a zone presents its lists. */
export const ruleKindNames = [
  'rewriteRule',
  'configurationRule',
  'accessRule',
  'securityScenario',
] as const satisfies readonly RuleKind[];
