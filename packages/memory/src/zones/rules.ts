import {
  nameKey,
  pageTooLong,
  type Rule,
  type RuleKind,
  type RuleList,
  type Rules,
  ruleNotFound,
  searchKey,
  utf8Bytes,
} from '@zonewright/core';
import { err, errAsync, ok, okAsync } from 'neverthrow';
import { boundedPageOf } from '../pages.ts';
import type { Tables, Unit } from '../tables/tables.ts';
import { listKey } from '../tables/zone-rows.ts';
import { rulesInOrder } from './zone-states.ts';

export const memoryRules = ({ tables }: Unit): Rules => ({
  list: (list, names, page, longest = Number.POSITIVE_INFINITY) => {
    const parts = names.map(searchKey);
    const matching = rulesIn(tables, list).filter(
      ({ content }) => parts.length === 0 || parts.some((part) => nameKey(content.value.name).includes(part)),
    );
    const revision = tables.zones.has(list.zone) ? (tables.ruleLists.get(listKey(list)) ?? 0) : 0;
    return boundedPageOf(matching, page, ({ content }) => content)
      .andThen((found) => (isLonger(found.items, longest) ? err(pageTooLong(1)) : ok({ ...found, revision })))
      .asyncMap(async (found) => found);
  },
  byId: (list, id) => {
    const found = rulesIn(tables, list).find((rule) => rule.id === id);
    return found === undefined ? errAsync(ruleNotFound()) : okAsync(found);
  },
});

/** Deleted zones still have their rules. */
const rulesIn = <K extends RuleKind>(tables: Tables, list: RuleList<K>): Rule<K>[] =>
  tables.zones.has(list.zone) ? rulesInOrder(tables, list) : [];

const isLonger = (rules: readonly Pick<Rule, 'content'>[], bytes: number): boolean =>
  rules.length > 1 && rules.reduce((sum, { content }) => sum + utf8Bytes(content.text), 0) > bytes;
