import { nameKey, type Rules, ruleNotFound, searchKey } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { boundedPageOf } from './pages.ts';
import type { Unit } from './tables.ts';
import { listKey, rulesInOrder } from './zone-states.ts';

export const memoryRules = ({ tables }: Unit): Rules => ({
  list: (list, names, page) => {
    const parts = names.map(searchKey);
    const matching = rulesInOrder(tables, list).filter(
      ({ content }) => parts.length === 0 || parts.some((part) => nameKey(content.value.name).includes(part)),
    );
    const revision = tables.ruleLists.get(listKey(list)) ?? 0;
    return boundedPageOf(matching, page, ({ content }) => content).asyncMap(async (found) => ({
      ...found,
      revision,
    }));
  },
  byId: (list, id) => {
    const found = rulesInOrder(tables, list).find((rule) => rule.id === id);
    return found === undefined ? errAsync(ruleNotFound()) : okAsync(found);
  },
});
