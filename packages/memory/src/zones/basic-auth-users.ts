import { type BasicAuthUsers, basicAuthUserNotFound, searchKey, type ZoneId } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { codePointKey, pageOf, sortedBy } from '../pages.ts';
import type { Unit } from '../tables/tables.ts';
import { userOf } from './zone-states.ts';

export const memoryBasicAuthUsers = ({ tables: { zones, basicAuthUsers } }: Unit): BasicAuthUsers => {
  // Deleted zones still have their users.
  const usersOf = (zone: ZoneId) =>
    zones.has(zone) ? [...basicAuthUsers.values()].filter(({ zoneId }) => zoneId === zone) : [];
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
      const user = usersOf(zone).find((each) => each.id === id);
      return user === undefined ? errAsync(basicAuthUserNotFound()) : okAsync(userOf(user));
    },
  };
};
