import { described, type ResourceDescription, readOnlyLink, timestamp, uuid } from '@zonewright/api-description';
import { type PageRequest, type Rule, type RuleKind, type RulePage, ruleKinds, ruleVersion } from '@zonewright/core';
import { z } from 'zod';
import { iri } from '../../resources/iri.ts';
import { Collection, Item, JsonMembers, type Members } from '../../resources/resource.ts';
import { ruleMembers } from './rule-members.ts';
import { scenarioMembers, scenarioShape } from './scenario-definition.ts';

/** JSON-LD types by kind of rule. */
const ruleTypes = {
  configurationRule: 'ConfigurationRule',
  rewriteRule: 'RewriteRule',
  accessRule: 'AccessRule',
  securityScenario: 'SecurityScenario',
} as const satisfies Record<RuleKind, string>;

const identity = {
  id: uuid('Id of the rule.'),
  zone: readOnlyLink('Zone', 'The zone of the rule; cannot be changed.'),
} as const;

const place = z
  .int()
  .min(1)
  .meta({
    description:
      'Position among the rules of this kind in the zone, starting at 1 without gaps. A position past the end means last.',
    examples: [1],
  });

const stamps = {
  createdAt: timestamp('When the rule was created.'),
  updatedAt: timestamp('When the rule itself last changed; a new position caused by other rules does not count.'),
} as const;

const orderedRule = (kind: RuleKind) =>
  z.object({ ...identity, ...described(ruleKinds[kind].schema.shape, ruleMembers[kind]), order: place, ...stamps });

/** Representations by kind of rule. */
export const ruleResources: Readonly<Record<RuleKind, ResourceDescription>> = {
  configurationRule: {
    type: ruleTypes.configurationRule,
    title: 'configuration rule',
    description: 'Overrides settings of the zone for requests that match its conditions.',
    isLinkedFirst: true,
    schema: orderedRule('configurationRule'),
  },
  rewriteRule: {
    type: ruleTypes.rewriteRule,
    title: 'rewrite rule',
    description: 'Rewrites the path of a request or redirects the client; the first matching rule wins.',
    schema: orderedRule('rewriteRule'),
  },
  accessRule: {
    type: ruleTypes.accessRule,
    title: 'access rule',
    description: 'Allows, blocks or challenges requests, or lets them skip some checks.',
    schema: orderedRule('accessRule'),
  },
  securityScenario: {
    type: ruleTypes.securityScenario,
    title: 'security scenario',
    description: 'Detects a pattern of requests and takes action.',
    schema: z.object({ ...identity, ...scenarioShape, ...stamps }),
  },
};

/** A rule of any kind (interface, "Configuration rule"); its content is returned as written. */
export const presentRule = (rule: Rule): Item =>
  new Item({
    type: ruleTypes[rule.kind],
    iri: iri.rule(rule),
    version: ruleVersion(rule),
    members: {
      id: rule.id,
      zone: iri.zone(rule.zoneId),
      ...contentMembers(rule),
      createdAt: rule.createdAt,
      updatedAt: rule.updatedAt,
    },
  });

/** Scenarios have no position in the API. */
const contentMembers = (rule: Rule): Members =>
  isScenario(rule)
    ? scenarioMembers(rule.content.value)
    : { content: new JsonMembers(rule.content), order: rule.order };

const isScenario = (rule: Rule): rule is Rule<'securityScenario'> => rule.kind === 'securityScenario';

/** A page of rules with the version of the whole list, which replacing the list requires. */
export const presentRules = (
  kind: RuleKind,
  { items, totalItems, revision }: RulePage<RuleKind>,
  page: PageRequest,
): Collection =>
  new Collection({
    type: ruleTypes[kind],
    items: items.map(presentRule),
    totalItems,
    page,
    version: String(revision),
    search: [
      { variable: 'name', property: 'name' },
      { variable: 'name[]', property: 'name' },
    ],
  });
