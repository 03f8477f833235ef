import type { PageRequest } from '@zonewright/core';
import { type Rule, type RuleKind, type RulePage, ruleVersion } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Collection, Item, JsonMembers, type Members } from '../http/resource.ts';
import { scenarioMembers } from './scenario-definition.ts';

/** The type of each kind of rules in linked data. */
export const ruleTypes = {
  configurationRule: 'ConfigurationRule',
  rewriteRule: 'RewriteRule',
  accessRule: 'AccessRule',
  securityScenario: 'SecurityScenario',
} as const satisfies Record<RuleKind, string>;

/** A rule of any kind (interface, "Configuration rule"); its content reads as it was written. */
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

/** Scenarios have no place that clients see. */
const contentMembers = (rule: Rule): Members =>
  isScenario(rule)
    ? scenarioMembers(rule.content.value)
    : { content: new JsonMembers(rule.content), order: rule.order };

const isScenario = (rule: Rule): rule is Rule<'securityScenario'> => rule.kind === 'securityScenario';

/** A part of a list of rules; the version is that of the whole list, so that it can be replaced as it was read. */
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
