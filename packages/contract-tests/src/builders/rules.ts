import {
  type JsonObject,
  jsonDocument,
  parseRuleContent,
  type RuleContents,
  type RuleDraft,
  type RuleId,
  type RuleKind,
  RulePosition,
  type WrittenRule,
} from '@zonewright/core';
import { aRuleId, unique } from './ids.ts';

/** Conditions that match a single path. */
const conditionsOn = (path: string): JsonObject => ({
  logic: 'and',
  conditions: [{ field: 'uri', operator: 'equals', value: path }],
});

/** Properties of a test's rule. */
export interface RuleTraits {
  readonly name?: string;
  /** The path that the rule matches; part of its unique key, if the kind has one. */
  readonly path?: string;
  readonly members?: JsonObject;
}

const bodiesOn: { readonly [K in RuleKind]: (path: string) => JsonObject } = {
  configurationRule: (path) => ({ conditions: conditionsOn(path) }),
  rewriteRule: (path) => ({ operator: 'equals', sourcePattern: path, target: '/elsewhere' }),
  accessRule: (path) => ({ conditions: conditionsOn(path), action: 'block' }),
  securityScenario: (path) => ({ type: 'trigger', filter: conditionsOn(path) }),
};

/** The content of a rule; unique unless a name and a path are given. */
export const aRuleContent = <K extends RuleKind>(
  kind: K,
  { name = `rule-${unique()}`, path = `/page-${unique()}`, members = {} }: RuleTraits = {},
): RuleContents[K] =>
  parseRuleContent(kind, { name, ...bodiesOn[kind](path), ...members }).match(
    (content) => content,
    (error) => {
      throw new Error(`The rule breaks constraints: ${JSON.stringify(error)}`);
    },
  );

/** A rule as it is written. */
export const aRule = <K extends RuleKind>(
  kind: K,
  { id = aRuleId(), ...traits }: RuleTraits & { readonly id?: RuleId } = {},
): WrittenRule<K> => ({ id, content: jsonDocument(aRuleContent(kind, traits)) });

/** A rule as a client requests it. */
export const aRuleDraft = <K extends RuleKind>(
  kind: K,
  { order, ...traits }: RuleTraits & { readonly order?: number } = {},
): RuleDraft<K> => ({
  content: aRuleContent(kind, traits),
  order: order === undefined ? undefined : RulePosition.parse(order),
});
