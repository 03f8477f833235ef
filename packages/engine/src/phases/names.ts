/** The lists of rules, by their names in a zone document. */
export type RuleListName = 'rewriteRules' | 'configurationRules' | 'accessRules' | 'securityScenarios';

/** How evaluations name rules and backends. */
export interface Names {
  readonly rule: (list: RuleListName, id: string) => string;
  readonly originServer: (id: string) => string;
  readonly loadBalancer: (id: string) => string;
}

/** Names everything by its id. */
export const bareIds: Names = { rule: (_, id) => id, originServer: (id) => id, loadBalancer: (id) => id };
