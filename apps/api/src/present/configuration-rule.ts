import { type ConfigurationRule, type Page, type PageRequest, ruleVersion } from '@zonewright/core';
import { iri } from '../http/iri.ts';
import { Collection, Item, JsonText } from '../http/resource.ts';

/** A configuration rule (interface, "Configuration rule"); conditions and overrides read as they were written. */
export const presentRule = (rule: ConfigurationRule): Item =>
  new Item({
    type: 'ConfigurationRule',
    iri: iri.configurationRule(rule),
    version: ruleVersion(rule),
    members: {
      id: rule.id,
      zone: iri.zone(rule.zoneId),
      name: rule.name,
      description: rule.description,
      conditions: new JsonText(rule.conditions),
      order: rule.order,
      enabled: rule.enabled,
      stopOnMatch: rule.stopOnMatch,
      settingsOverrides: new JsonText(rule.settingsOverrides),
      createdAt: rule.createdAt,
      updatedAt: rule.updatedAt,
    },
  });

export const presentRules = ({ items, totalItems }: Page<ConfigurationRule>, page: PageRequest): Collection =>
  new Collection({
    type: 'ConfigurationRule',
    items: items.map(presentRule),
    totalItems,
    page,
    search: [
      { variable: 'name', property: 'name' },
      { variable: 'name[]', property: 'name' },
    ],
  });
