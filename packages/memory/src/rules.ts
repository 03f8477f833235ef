import {
  nameKey,
  type Rule,
  type RuleClash,
  type RuleContents,
  type RuleId,
  type RuleKind,
  type RuleList,
  type RuleStamp,
  type Rules,
  type RulesOfZone,
  ruleKeyTaken,
  ruleKinds,
  ruleNameTaken,
  ruleNotFound,
  searchKey,
  storedDocument,
  type WrittenRule,
  type ZoneId,
} from '@zonewright/core';
import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { boundedPageOf } from './pages.ts';
import type { RuleRow, Tables, Unit } from './tables.ts';

const listKey = ({ zone, kind }: RuleList): string => `${zone} ${kind}`;

export const memoryRules = ({ tables, now }: Unit): Rules => {
  const { zones, rules, ruleOrders } = tables;
  const stored = (list: RuleList) => ruleOrders.get(listKey(list)) ?? { ...list, ids: [], revision: 0 };
  const touch = (list: RuleList, ids = stored(list).ids) => {
    ruleOrders.set(listKey(list), { ...list, ids, revision: stored(list).revision + 1 });
  };
  const write = <K extends RuleKind>(list: RuleList<K>, rule: WrittenRule<K>): ResultAsync<RuleStamp, RuleClash> => {
    const [clash] = clashesOf(tables, list, rule);
    if (clash !== undefined) return errAsync(clash);
    touch(list);
    return okAsync(put(list, rule));
  };
  const put = <K extends RuleKind>({ zone, kind }: RuleList<K>, { id, content }: WrittenRule<K>): RuleStamp => {
    const before = rules.get(id);
    // The first revision is the zone's: every earlier rule of this id was written before it.
    const revision = before === undefined ? (zones.get(zone)?.revision ?? 1) : before.revision + 1;
    const stamp = { createdAt: before?.createdAt ?? now(), updatedAt: now(), revision };
    const keys = { nameKey: nameKey(content.value.name), uniqueKey: ruleKinds[kind].uniqueKey?.of(content.value) };
    rules.set(id, { id, zoneId: zone, kind, content: content.text, ...keys, ...stamp });
    return stamp;
  };
  return {
    list: (list, names, page) => {
      const wanted = names.map(searchKey);
      const matching = rulesInOrder(tables, list).filter(
        ({ id }) => wanted.length === 0 || wanted.some((part) => rules.get(id)?.nameKey.includes(part)),
      );
      const { revision } = stored(list);
      return boundedPageOf(matching, page, ({ content }) => content).asyncMap(async (found) => ({
        ...found,
        revision,
      }));
    },
    all: (list) => okAsync(rulesInOrder(tables, list)),
    byId: (list, id) => {
      const found = rulesInOrder(tables, list).find((rule) => rule.id === id);
      return found === undefined ? errAsync(ruleNotFound()) : okAsync(found);
    },
    clashes: (list, rule) => okAsync(clashesOf(tables, list, rule)),
    order: (list) => okAsync({ ids: stored(list).ids, revision: stored(list).revision }),
    saveOrder: (list, order) => {
      touch(list, [...order]);
      return okAsync();
    },
    add: write,
    save: write,
    remove: (list, id) => {
      if (isIn(list)(rules.get(id))) rules.delete(id);
      touch(list);
      return okAsync();
    },
    rewrite: (list, { removed, changed, added }) => {
      for (const id of removed) if (isIn(list)(rules.get(id))) rules.delete(id);
      const written = [...changed, ...added];
      for (const rule of written) put(list, rule);
      const [clash] = written.flatMap((rule) => clashesOf(tables, list, rule));
      touch(list);
      return clash === undefined ? okAsync() : errAsync(clash);
    },
  };
};

const isIn =
  ({ zone, kind }: RuleList) =>
  (row: RuleRow | undefined): boolean =>
    row?.zoneId === zone && row.kind === kind;

const rulesInOrder = <K extends RuleKind>({ rules, ruleOrders }: Tables, list: RuleList<K>): Rule<K>[] =>
  (ruleOrders.get(listKey(list))?.ids ?? []).flatMap((id, index) => {
    const row = rules.get(id);
    return row === undefined ? [] : [ruleOf(row, list.kind, index + 1)];
  });

/** Every rule of a zone by kind. */
export const rulesOfZone = (tables: Tables, zone: ZoneId): RulesOfZone => ({
  configurationRule: rulesInOrder(tables, { zone, kind: 'configurationRule' }),
  rewriteRule: rulesInOrder(tables, { zone, kind: 'rewriteRule' }),
  accessRule: rulesInOrder(tables, { zone, kind: 'accessRule' }),
  securityScenario: rulesInOrder(tables, { zone, kind: 'securityScenario' }),
});

/** The check a database makes when it commits: every order lists every rule of its list exactly once. */
export function requireCompleteOrders({ rules, ruleOrders }: Tables): void {
  const listed = [...ruleOrders.values()].flatMap((list) => list.ids.map((id) => ({ list, id })));
  const distinct = new Set<RuleId>(listed.map(({ id }) => id));
  const misplaced = listed.some(({ list, id }) => !isIn(list)(rules.get(id)));
  if (misplaced || distinct.size !== listed.length || distinct.size !== rules.size) {
    throw new Error('The order must list each rule of the zone exactly once.');
  }
}

function clashesOf<K extends RuleKind>(
  { rules }: Tables,
  list: RuleList<K>,
  { id, content }: WrittenRule<K>,
): RuleClash[] {
  const siblings = [...rules.values()].filter((other) => isIn(list)(other) && other.id !== id);
  const key = ruleKinds[list.kind].uniqueKey?.of(content.value);
  return [
    ...(siblings.some((other) => other.nameKey === nameKey(content.value.name)) ? [ruleNameTaken()] : []),
    ...(key !== undefined && siblings.some((other) => other.uniqueKey === key) ? [ruleKeyTaken()] : []),
  ];
}

const ruleOf = <K extends RuleKind>(
  { id, zoneId, content, createdAt, updatedAt, revision }: RuleRow,
  kind: K,
  order: number,
): Rule<K> => ({
  id,
  zoneId,
  kind,
  order,
  content: storedDocument<RuleContents[K]>(content),
  createdAt,
  updatedAt,
  revision,
});
