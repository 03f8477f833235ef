import type { z } from 'zod';
import { conditionsKey } from '../conditions/canonical.ts';
import type { JsonObject } from '../shared/merge-patch.ts';
import { type Violation, violation } from '../shared/violation.ts';
import { AccessRuleContent } from './access-rule.ts';
import { ConfigurationRuleContent } from './configuration-rule.ts';
import { RewriteRuleContent, rewriteKey, rewriteRuleBefore } from './rewrite-rule.ts';
import { SecurityScenarioContent } from './security-scenario.ts';

/** The kinds of rules, with the client-supplied part of each. */
export interface RuleContents {
  readonly configurationRule: ConfigurationRuleContent;
  readonly rewriteRule: RewriteRuleContent;
  readonly accessRule: AccessRuleContent;
  readonly securityScenario: SecurityScenarioContent;
}

/** Names of rule kinds. Never rename one: they are stored. */
export type RuleKind = keyof RuleContents;

/** Everything that distinguishes one kind of rules from another. */
export interface RuleKindDefinition<Content> {
  readonly schema: z.ZodType<Content> & { readonly shape: z.ZodRawShape };
  /** Whether clients see and choose positions; other lists stay in creation order. */
  readonly isOrdered: boolean;
  /** The violation if another rule of the list has the same name, ignoring case. */
  readonly nameTaken: Violation;
  /** A further uniqueness constraint: rules with equal keys clash. */
  readonly uniqueKey?: { readonly of: (content: Content) => string; readonly taken: Violation };
  /** The content that a patch applies to; the stored content if absent. */
  readonly before?: (patch: JsonObject, content: JsonObject) => JsonObject;
}

const nameTaken = violation('name', 'rule.name.duplicate', 'Another rule in the zone already has this name.');

/** The definition of each kind. To add a kind, add a row here and in `RuleContents`. */
export const ruleKinds: { readonly [K in RuleKind]: RuleKindDefinition<RuleContents[K]> } = {
  configurationRule: {
    schema: ConfigurationRuleContent,
    isOrdered: true,
    nameTaken,
    uniqueKey: {
      of: ({ conditions }) => conditionsKey(conditions),
      taken: violation(
        'conditions',
        'rule.conditions.duplicate',
        'Another rule in the zone already has the same conditions.',
      ),
    },
  },
  rewriteRule: {
    schema: RewriteRuleContent,
    isOrdered: true,
    nameTaken,
    uniqueKey: {
      of: rewriteKey,
      taken: violation(
        'sourcePattern',
        'rewriteRule.source.duplicate',
        'Another rule of the zone has the same operator, source pattern and conditions.',
      ),
    },
    before: rewriteRuleBefore,
  },
  accessRule: { schema: AccessRuleContent, isOrdered: true, nameTaken },
  securityScenario: {
    schema: SecurityScenarioContent,
    isOrdered: false,
    nameTaken: violation('name', 'scenario.name.duplicate', 'Another scenario in the zone already has this name.'),
  },
};
