import {
  type ConfigurationRule,
  type ConfigurationRules,
  conditionsKey,
  nameKey,
  offsetOf,
  type RuleClash,
  type RuleId,
  ruleConditionsTaken,
  ruleNameTaken,
  ruleNotFound,
  searchKey,
  storedDocument,
  type WrittenRule,
  type ZoneId,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import type { RuleRow, Tables, Unit } from './tables.ts';

export const memoryConfigurationRules = ({ tables, now }: Unit): ConfigurationRules => {
  const { rules, ruleOrders } = tables;
  const write: ConfigurationRules['save'] = (rule) => {
    const [clash] = clashesOf(tables, rule);
    if (clash !== undefined) return errAsync(clash);
    const before = rules.get(rule.id);
    const stamp = { createdAt: before?.createdAt ?? now(), updatedAt: now(), revision: (before?.revision ?? 0) + 1 };
    rules.set(rule.id, {
      ...rule,
      ...stamp,
      conditions: rule.conditions.text,
      conditionsKey: conditionsKey(rule.conditions.value),
      settingsOverrides: rule.settingsOverrides.text,
    });
    return okAsync(stamp);
  };
  return {
    list: (zone, names, page) => {
      const wanted = names.map(searchKey);
      const matching = rulesInOrder(tables, zone).filter(
        ({ name }) => wanted.length === 0 || wanted.some((part) => nameKey(name).includes(part)),
      );
      const offset = offsetOf(page);
      return okAsync({ items: matching.slice(offset, offset + page.itemsPerPage), totalItems: matching.length });
    },
    byId: (zone, id) => {
      const found = rulesInOrder(tables, zone).find((rule) => rule.id === id);
      return found === undefined ? errAsync(ruleNotFound()) : okAsync(found);
    },
    clashes: (rule) => okAsync(clashesOf(tables, rule)),
    order: (zone) => okAsync(ruleOrders.get(zone) ?? []),
    saveOrder: (zone, order) => {
      ruleOrders.set(zone, [...order]);
      return okAsync();
    },
    add: write,
    save: write,
    remove: (zone, id) => {
      if (rules.get(id)?.zoneId === zone) rules.delete(id);
      return okAsync();
    },
  };
};

export const rulesInOrder = ({ rules, ruleOrders }: Tables, zone: ZoneId): ConfigurationRule[] =>
  (ruleOrders.get(zone) ?? []).flatMap((id, index) => {
    const row = rules.get(id);
    return row === undefined ? [] : [ruleOf(row, index + 1)];
  });

/** The check a database makes when it commits: every order lists every rule of its zone exactly once. */
export function requireCompleteOrders({ rules, ruleOrders }: Tables): void {
  const listed = [...ruleOrders].flatMap(([zone, order]) => order.map((id) => [zone, id] as const));
  const distinct = new Set<RuleId>(listed.map(([, id]) => id));
  const misplaced = listed.some(([zone, id]) => rules.get(id)?.zoneId !== zone);
  if (misplaced || distinct.size !== listed.length || distinct.size !== rules.size) {
    throw new Error('The order of a zone does not list each of its rules exactly once.');
  }
}

function clashesOf(
  { rules }: Tables,
  { id, zoneId, name, conditions }: Pick<WrittenRule, 'id' | 'zoneId' | 'name' | 'conditions'>,
): RuleClash[] {
  const siblings = [...rules.values()].filter((other) => other.zoneId === zoneId && other.id !== id);
  const key = conditionsKey(conditions.value);
  return [
    ...(siblings.some((other) => nameKey(other.name) === nameKey(name)) ? [ruleNameTaken()] : []),
    ...(siblings.some((other) => other.conditionsKey === key) ? [ruleConditionsTaken()] : []),
  ];
}

const ruleOf = ({ conditionsKey: _, ...row }: RuleRow, order: number): ConfigurationRule => ({
  ...row,
  order,
  conditions: storedDocument(row.conditions),
  settingsOverrides: storedDocument(row.settingsOverrides),
});
