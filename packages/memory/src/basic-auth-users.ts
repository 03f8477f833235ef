import { type BasicAuthUser, type BasicAuthUsers, basicAuthUserNotFound, searchKey } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf, sortedBy } from './pages.ts';
import type { BasicAuthUserRow, Unit } from './tables.ts';
import { codePointKey } from './zones.ts';

export const memoryBasicAuthUsers = ({ tables: { basicAuthUsers }, now }: Unit): BasicAuthUsers => {
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
    all: (zone) => okAsync(sortedBy(usersOf(zone), ({ id }) => [id, id]).map(userOf)),
    idsIn: (zone) => okAsync(new Set(usersOf(zone).map(({ id }) => id))),
    byId: (zone, id) => {
      const found = basicAuthUsers.get(id);
      return found?.zoneId === zone ? okAsync(userOf(found)) : errAsync(basicAuthUserNotFound());
    },
    add: (user, hash) => {
      if (usersOf(user.zoneId).some(({ username }) => username === user.username)) {
        return errAsync({ type: 'UsernameTaken' });
      }
      const row = { ...user, hash, createdAt: now(), updatedAt: now(), revision: 1 };
      basicAuthUsers.set(user.id, row);
      return okAsync(userOf(row));
    },
    save: ({ id, comment }, hash) => {
      const before = basicAuthUsers.get(id);
      if (before === undefined) throw new Error('The user does not exist.');
      const row = { ...before, comment, hash: hash ?? before.hash, updatedAt: now(), revision: before.revision + 1 };
      basicAuthUsers.set(id, row);
      return okAsync(userOf(row));
    },
    remove: (zone, id) => {
      if (basicAuthUsers.get(id)?.zoneId === zone) basicAuthUsers.delete(id);
      return okAsync();
    },
  };
};

const userOf = ({ hash: _, ...user }: BasicAuthUserRow): BasicAuthUser => user;
