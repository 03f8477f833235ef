import {
  maxPageTextBytes,
  nameKey,
  offsetOf,
  type Rule,
  type RuleClash,
  type RuleContents,
  type RuleKind,
  type RuleList,
  type RuleStamp,
  type Rules,
  type RulesOfZone,
  ruleKeyTaken,
  ruleNameTaken,
  ruleNotFound,
  type StoredOrder,
  searchKey,
  storedDocument,
  type WrittenRule,
} from '@zonewright/core';
import { ResultAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { brokenUniqueConstraint } from './failures.ts';
import { containing } from './like.ts';
import { isEmpty, many, maybe, required, run, type SizedRow, withinPageSize } from './query.ts';
import { uniqueHash } from './rule-keys.ts';
import { sql } from './sql.ts';
import type { Statement } from './statement.ts';

/** A rule as it is stored; its content is text. */
export type RuleRow = Omit<Rule, 'content'> & { readonly content: string };
/** Every row says how many rules there are on all pages, and the revision of the list. */
type ListedRow = RuleRow & SizedRow & { readonly totalItems: number; readonly listRevision: number };

export const postgresRules = (on: Connection): Rules => ({
  list: (list, names, page) => {
    const filter = { ...list, patterns: names.map((name) => containing(searchKey(name))) };
    const window = { limit: page.itemsPerPage, offset: offsetOf(page), maxBytes: maxPageTextBytes };
    return many<ListedRow>(on, sql.rules.list, { ...filter, ...window }).andThen(([first, ...others]) => {
      const whole = { totalItems: first?.totalItems ?? 0, revision: first?.listRevision ?? 0 };
      return withinPageSize(first === undefined || isEmpty(first) ? [] : [first, ...others]).map((rows) => ({
        items: rows.map((row) => listedRule(row, list.kind)),
        ...whole,
      }));
    });
  },
  all: (list) => many<RuleRow>(on, sql.rules.all, { ...list }).map((rows) => rows.map((row) => ruleOf(row, list.kind))),
  byId: (list, id) =>
    required<RuleRow, ReturnType<typeof ruleNotFound>>(on, sql.rules.byId, { ...list, id }, ruleNotFound).map((row) =>
      ruleOf(row, list.kind),
    ),
  clashes: (list, rule) =>
    maybe<{ name: boolean | null; key: boolean | null }>(on, sql.rules.clashes, valuesOf(list, rule)).map((found) => [
      ...(found?.name ? [ruleNameTaken()] : []),
      ...(found?.key ? [ruleKeyTaken()] : []),
    ]),
  order: (list) => maybe<StoredOrder>(on, sql.rules.order, { ...list }).map((row) => row ?? { ids: [], revision: 0 }),
  saveOrder: (list, order) => run(on, sql.rules.saveOrder, { ...list, ruleIds: order }),
  add: (list, rule) => write(on, sql.rules.add, list, rule),
  save: (list, rule) => write(on, sql.rules.save, list, rule),
  remove: (list, id) => run(on, sql.rules.remove, { ...list, ids: [id] }),
  rewrite: (list, { removed, changed, added }) =>
    run(on, sql.rules.remove, { ...list, ids: removed })
      .andThen(() => writeMany(on, sql.rules.saveMany, list, changed))
      .andThen(() => writeMany(on, sql.rules.addMany, list, added)),
});

/** Rows of the rules of a zone, in any order, as its lists. */
export function rulesByKind(rows: readonly RuleRow[]): RulesOfZone {
  const inOrder = [...rows].sort((one, other) => one.order - other.order);
  const of = <K extends RuleKind>(kind: K) =>
    inOrder.filter((row) => row.kind === kind).map((row) => ruleOf(row, kind));
  return {
    configurationRule: of('configurationRule'),
    rewriteRule: of('rewriteRule'),
    accessRule: of('accessRule'),
    securityScenario: of('securityScenario'),
  };
}

const valuesOf = <K extends RuleKind>(list: RuleList<K>, { id, content }: WrittenRule<K>) => ({
  ...list,
  id,
  nameKey: nameKey(content.value.name),
  uniqueHash: uniqueHash(list.kind, content.value),
  content: content.text,
});

const write = <K extends RuleKind>(
  on: Connection,
  statement: Statement,
  list: RuleList<K>,
  rule: WrittenRule<K>,
): ResultAsync<RuleStamp, RuleClash> =>
  ResultAsync.fromPromise(on.one<RuleStamp>(statement.prepared(valuesOf(list, rule))), clashOf);

const writeMany = <K extends RuleKind>(
  on: Connection,
  statement: Statement,
  list: RuleList<K>,
  rules: readonly WrittenRule<K>[],
): ResultAsync<void, RuleClash> => {
  const rows = rules.map((rule) => valuesOf(list, rule));
  const columns = {
    ids: rows.map(({ id }) => id),
    nameKeys: rows.map((row) => row.nameKey),
    uniqueHashes: rows.map((row) => row.uniqueHash),
    contents: rows.map(({ content }) => content),
  };
  return ResultAsync.fromPromise(on.none(statement.prepared({ ...list, ...columns })), clashOf).map(() => undefined);
};

/** The clash that a unique constraint saw; every other failure stays a rejection. */
function clashOf(error: unknown): RuleClash {
  switch (brokenUniqueConstraint(error)) {
    case 'rules_name_unique':
      return ruleNameTaken();
    case 'rules_key_unique':
      return ruleKeyTaken();
    default:
      throw error;
  }
}

const ruleOf = <K extends RuleKind>({ content, ...row }: RuleRow, kind: K): Rule<K> => ({
  ...row,
  kind,
  content: storedDocument<RuleContents[K]>(content),
});

const listedRule = <K extends RuleKind>(
  { bytes: _, totalItems: __, listRevision: ___, ...row }: ListedRow,
  kind: K,
): Rule<K> => ruleOf(row, kind);
