import { err, ok, type Result } from 'neverthrow';
import type { RuleId } from '../../kernel/shared/ids.ts';
import { type Violation, violation } from '../../kernel/shared/violation.ts';
import type { Rule, RulesOfZone, WrittenRule } from './rule.ts';
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

/** The list has no rule with this id. */
export const ruleNotFound = () => ({ type: 'RuleNotFound' }) as const;
export type RuleNotFound = ReturnType<typeof ruleNotFound>;

/** How long the contents of rules are as JSON, in characters. */
export const charactersIn = (rules: Readonly<Record<RuleKind, readonly Pick<WrittenRule, 'content'>[]>>): number =>
  ruleKindNames.reduce((sum, kind) => rules[kind].reduce((all, { content }) => all + content.text.length, sum), 0);

/** Finds a rule in a list. */
export const ruleIn = <K extends RuleKind>(
  { rules }: { readonly rules: RulesOfZone },
  kind: K,
  id: RuleId,
): Result<Rule<K>, RuleNotFound> => {
  const rule = rules[kind].find((each) => each.id === id);
  return rule === undefined ? err(ruleNotFound()) : ok(rule);
};

/** A member of an input names a rule that the zone does not have. */
export const unknownRule = (propertyPath: string): Violation =>
  violation(propertyPath, 'rule.unknown', 'The zone has no such rule.');
