/** The lists of rules, as a zone document calls them. */
export type RuleListName = 'rewriteRules' | 'configurationRules' | 'accessRules' | 'securityScenarios';

/** How an answer names rules and backends. */
export interface Names {
  readonly rule: (list: RuleListName, id: string) => string;
  readonly originServer: (id: string) => string;
  readonly loadBalancer: (id: string) => string;
}

/** Names everything by its bare id. */
export const bareIds: Names = { rule: (_, id) => id, originServer: (id) => id, loadBalancer: (id) => id };
