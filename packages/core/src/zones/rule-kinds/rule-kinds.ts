import type { z } from 'zod';
import type { JsonDocument, JsonObject } from '../../kernel/shared/json.ts';
import { nameKey } from '../../kernel/shared/text.ts';
import type { Version } from '../../kernel/shared/version.ts';
import { type Violation, violation } from '../../kernel/shared/violation.ts';
import { conditionsKey } from '../conditions/conditions.ts';
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

/** What distinguishes the states of a rule. */
interface RevisedRule {
  readonly kind: RuleKind;
  readonly revision: number;
  readonly order: number;
}

/**
 * The version includes the position, because shifted rules read differently; except in lists whose order is not
 * visible.
 */
export const ruleVersion = ({ kind, revision, order }: RevisedRule): Version =>
  ruleKinds[kind].isOrdered ? `${revision}.${order}` : String(revision);

/** What must be unique in a list of rules. */
interface RuleKeys {
  readonly name: string;
  /** Undefined if only names must be unique. */
  readonly unique: string | undefined;
}

/** The keys of a rule's content: computed lazily and once, because that takes noticeable time for long lists. */
export const ruleKeys = <K extends RuleKind>(kind: K, content: JsonDocument<RuleContents[K]>): RuleKeys => {
  const known = made.get(content);
  if (known !== undefined) return known;
  const keys = keysOf(kind, content);
  made.set(content, keys);
  return keys;
};

const made = new WeakMap<JsonDocument<unknown>, RuleKeys>();

function keysOf<K extends RuleKind>(kind: K, content: JsonDocument<RuleContents[K]>): RuleKeys {
  let name: string | undefined;
  let unique: { readonly key: string | undefined } | undefined;
  return {
    get name() {
      name ??= nameKey(content.value.name);
      return name;
    },
    get unique() {
      unique ??= { key: ruleKinds[kind].uniqueKey?.of(content.value) };
      return unique.key;
    },
  };
}

/**
 * Violations for clashes with other rules of the list. Keys unchanged from `before` are exempt: duplicates that are
 * older than the uniqueness rule may stay.
 */
export function clashesBetween(
  kind: RuleKind,
  { name, unique }: RuleKeys,
  others: readonly RuleKeys[],
  before: RuleKeys | undefined,
): readonly Violation[] {
  const { nameTaken, uniqueKey } = ruleKinds[kind];
  const isKeyTaken =
    unique !== undefined && unique !== before?.unique && others.some((other) => other.unique === unique);
  return [
    ...(name !== before?.name && others.some((other) => other.name === name) ? [nameTaken] : []),
    ...(isKeyTaken && uniqueKey !== undefined ? [uniqueKey.taken] : []),
  ];
}
