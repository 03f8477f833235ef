import { createHash } from 'node:crypto';
import {
  type Conditions,
  type ConfigurationRule,
  type ConfigurationRules,
  conditionsKey,
  nameKey,
  offsetOf,
  type RuleClash,
  type RuleOrder,
  type RuleStamp,
  ruleConditionsTaken,
  ruleNameTaken,
  ruleNotFound,
  searchKey,
  storedDocument,
  type WrittenRule,
  type ZoneId,
} from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { brokenUniqueConstraint } from './failures.ts';
import { containing } from './like.ts';
import { many, maybe, one, required, run } from './query.ts';
import { sql } from './sql.ts';
import type { Statement } from './statement.ts';

type RuleRow = Omit<ConfigurationRule, 'conditions' | 'settingsOverrides'> & {
  readonly conditions: string;
  readonly settingsOverrides: string;
};

export const postgresConfigurationRules = (on: Connection): ConfigurationRules => ({
  list: (zone, names, page) => {
    const filter = { zone, patterns: names.map((name) => containing(searchKey(name))) };
    return ResultAsync.combine([
      many<RuleRow>(on, sql.configurationRules.list, { ...filter, limit: page.itemsPerPage, offset: offsetOf(page) }),
      one<{ total: number }>(on, sql.configurationRules.total, filter),
    ]).map(([rows, { total }]) => ({ items: rows.map(ruleOf), totalItems: total }));
  },
  byId: (zone, id) =>
    required<RuleRow, ReturnType<typeof ruleNotFound>>(on, sql.configurationRules.byId, { zone, id }, ruleNotFound).map(
      ruleOf,
    ),
  clashes: ({ id, zoneId, name, conditions }) =>
    maybe<{ name: boolean | null; conditions: boolean | null }>(on, sql.configurationRules.clashes, {
      id,
      zone: zoneId,
      nameKey: nameKey(name),
      conditionsHash: conditionsHash(conditions.value),
    }).map((found) => [
      ...(found?.name ? [ruleNameTaken()] : []),
      ...(found?.conditions ? [ruleConditionsTaken()] : []),
    ]),
  order: (zone) =>
    maybe<{ ruleIds: RuleOrder }>(on, sql.configurationRules.order, { zone }).map((row) => row?.ruleIds ?? []),
  saveOrder: (zone, order) => run(on, sql.configurationRules.saveOrder, { zone, ruleIds: order }),
  add: (rule) => write(on, sql.configurationRules.add, rule),
  save: (rule) => write(on, sql.configurationRules.save, rule),
  remove: (zone, id) => run(on, sql.configurationRules.remove, { zone, id }),
});

/** Every rule of a zone, in evaluation order. */
export const allRules = (on: Connection, zone: ZoneId): ResultAsync<readonly ConfigurationRule[], never> =>
  many<RuleRow>(on, sql.configurationRules.list, { zone, patterns: [], limit: null, offset: 0 }).map((rows) =>
    rows.map(ruleOf),
  );

const write = (on: Connection, statement: Statement, rule: WrittenRule): ResultAsync<RuleStamp, RuleClash> => {
  const { zoneId, conditions, settingsOverrides, ...rest } = rule;
  const values = {
    ...rest,
    zone: zoneId,
    nameKey: nameKey(rule.name),
    conditions: conditions.text,
    conditionsHash: conditionsHash(conditions.value),
    settingsOverrides: settingsOverrides.text,
  };
  return ResultAsync.fromPromise(on.one<RuleStamp>(statement.prepared(values)), clashOf);
};

/** The clash that a unique constraint saw; every other failure stays a rejection. */
function clashOf(error: unknown): RuleClash {
  switch (brokenUniqueConstraint(error)) {
    case 'configuration_rules_name_unique':
      return ruleNameTaken();
    case 'configuration_rules_conditions_unique':
      return ruleConditionsTaken();
    default:
      throw error;
  }
}

const conditionsHash = (conditions: Conditions): Buffer =>
  createHash('sha256').update(conditionsKey(conditions)).digest();

const ruleOf = ({ conditions, settingsOverrides, ...row }: RuleRow): ConfigurationRule => ({
  ...row,
  conditions: storedDocument(conditions),
  settingsOverrides: storedDocument(settingsOverrides),
});
