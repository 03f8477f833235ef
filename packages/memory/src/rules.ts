import { nameKey, pageTooLong, type Rule, type Rules, ruleNotFound, searchKey, utf8Bytes } from '@zonewright/core';
import { err, errAsync, ok, okAsync } from 'neverthrow';
import { boundedPageOf } from './pages.ts';
import type { Unit } from './tables.ts';
import { listKey, rulesInOrder } from './zone-states.ts';

export const memoryRules = ({ tables }: Unit): Rules => ({
  list: (list, names, page, longest = Number.POSITIVE_INFINITY) => {
    const parts = names.map(searchKey);
    const matching = rulesInOrder(tables, list).filter(
      ({ content }) => parts.length === 0 || parts.some((part) => nameKey(content.value.name).includes(part)),
    );
    const revision = tables.ruleLists.get(listKey(list)) ?? 0;
    return boundedPageOf(matching, page, ({ content }) => content)
      .andThen((found) => (isLonger(found.items, longest) ? err(pageTooLong(1)) : ok({ ...found, revision })))
      .asyncMap(async (found) => found);
  },
  byId: (list, id) => {
    const found = rulesInOrder(tables, list).find((rule) => rule.id === id);
    return found === undefined ? errAsync(ruleNotFound()) : okAsync(found);
  },
});

const isLonger = (rules: readonly Pick<Rule, 'content'>[], bytes: number): boolean =>
  rules.length > 1 && rules.reduce((sum, { content }) => sum + utf8Bytes(content.text), 0) > bytes;
