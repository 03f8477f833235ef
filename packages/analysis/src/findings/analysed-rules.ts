import type { RuleReference } from '@zonewright/core';
import {
  type AccessRule,
  type ConditionSet,
  type Configuration,
  parsePattern,
  type RewriteRule,
  type RuleListName,
  unsoundness,
} from '@zonewright/engine';
import { type Clauses, type Formula, formulaOf, formulaWithSource } from '../solver/clauses.ts';
import type { RulePredicates } from '../solver/predicates.ts';

/** An active rule with its conditions as a formula. */
export interface AnalysedRule<Rule = unknown> extends RuleReference {
  readonly name: string;
  readonly content: Rule;
  /** Index in the list, from 0. */
  readonly place: number;
  readonly formula: Formula;
  /** Paths of its literals in the zone document, in order. */
  readonly leaves: readonly string[];
  /** Path of its conditions as a whole. */
  readonly whole: string;
  /** Whether it ends its list when it applies. */
  readonly stops: boolean;
}

type Stored = { readonly id: string; readonly name: string; readonly enabled: boolean };
type RuleFormula = Pick<AnalysedRule, 'formula' | 'leaves' | 'whole' | 'stops'>;

/**
 * Reads the active rules; disabled ones are ignored, and those left when the time is over. Then nothing is proven any
 * more.
 */
export function analysedRules(configuration: Configuration, predicates: RulePredicates, isOver: () => boolean) {
  const conditional = (path: string, set: ConditionSet, member: string, stops: boolean): RuleFormula => ({
    formula: formulaOf(set, predicates),
    leaves: set.leaves.map((_, at) => `${path}.${member}.conditions[${at}]`),
    whole: `${path}.${member}`,
    stops,
  });
  const analysed = readingRules(isOver);
  return {
    accessRules: analysed('accessRules', configuration.accessRules, (rule, path) =>
      conditional(path, rule.conditions, 'conditions', rule.action !== 'skip' || rule.stopOnMatch),
    ),
    rewriteRules: analysed('rewriteRules', configuration.rewriteRules.map(soundOrDisabled), (rule, path) => {
      const conditions = rule.conditions === null ? undefined : formulaOf(rule.conditions, predicates);
      const leaves = rule.conditions?.leaves.map((_, at) => `${path}.conditions.conditions[${at}]`) ?? [];
      const whole = `${path}.sourcePattern`;
      const formula = formulaWithSource(predicates.ofSource(rule), conditions);
      return { formula, leaves: [whole, ...leaves], whole, stops: true };
    }),
    configurationRules: analysed('configurationRules', configuration.configurationRules, (rule, path) =>
      conditional(path, rule.conditions, 'conditions', rule.stopOnMatch),
    ),
    securityScenarios: analysed('securityScenarios', configuration.securityScenarios, (rule, path) =>
      conditional(path, rule.filter, 'filter', false),
    ),
  };
}

/** The active rules of a configuration, in order. */
export type AnalysedRules = ReturnType<typeof analysedRules>;

const readingRules =
  (isOver: () => boolean) =>
  <Rule extends Stored>(
    list: RuleListName,
    rules: readonly Rule[],
    describe: (rule: Rule, path: string) => RuleFormula,
  ): readonly AnalysedRule<Rule>[] =>
    rules.flatMap((content, place) => {
      const { id, name, enabled } = content;
      if (!enabled || isOver()) return [];
      return [{ list, id, name, content, place, ...describe(content, `${list}.items.${id}`) }];
    });

/** Stored rules with unsound targets, which are rejected today, are not applied. */
function soundOrDisabled(rule: RewriteRule): RewriteRule {
  const parsed = rule.operator.startsWith('regex') ? parsePattern(rule.sourcePattern) : undefined;
  const problem = unsoundness(rule, parsed?.ok === true ? parsed.value : undefined);
  return problem === undefined ? rule : { ...rule, enabled: false };
}

/** Whether an access rule ends the request. */
export const isTerminal = ({ content: { action } }: AnalysedRule<AccessRule>): boolean =>
  action === 'block' || action === 'challenge';

/** None of the rules matches. */
export const failsOf = (rules: readonly AnalysedRule[]): Clauses => rules.flatMap(({ formula }) => formula.fails);

/** Conditions for a rule to apply: it matches, and no earlier rule stops the list. */
export const reachedIn = (list: readonly AnalysedRule[], rule: AnalysedRule | undefined): Clauses =>
  rule === undefined
    ? []
    : [...rule.formula.holds, ...failsOf(list.filter(({ stops, place }) => stops && place < rule.place))];

/** A rule as findings refer to it. */
export const referenceTo = ({ list, id }: RuleReference): RuleReference => ({ list, id });
