import { type BasicAuthUsers, basicAuthUserNotFound, searchKey } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf, sortedBy } from './pages.ts';
import type { Unit } from './tables.ts';
import { userOf } from './zone-states.ts';
import { codePointKey } from './zones.ts';

export const memoryBasicAuthUsers = ({ tables: { basicAuthUsers } }: Unit): BasicAuthUsers => {
  const usersOf = (zone: string) => [...basicAuthUsers.values()].filter(({ zoneId }) => zoneId === zone);
  return {
    list: (zone, username, page) => {
      const matching = usersOf(zone).filter(
        (user) => username === undefined || searchKey(user.username).includes(searchKey(username)),
      );
      const sorted = sortedBy(matching, (user) => [codePointKey(user.username), user.id]);
      const { items, totalItems } = pageOf(sorted, page);
      return okAsync({ items: items.map(userOf), totalItems });
    },
    byId: (zone, id) => {
      const user = basicAuthUsers.get(id);
      return user?.zoneId === zone ? okAsync(userOf(user)) : errAsync(basicAuthUserNotFound());
    },
  };
};
