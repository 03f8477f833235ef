import {
  type BasicAuthUser,
  type BasicAuthUserId,
  type BasicAuthUserNotFound,
  type BasicAuthUsers,
  basicAuthUserNotFound,
  offsetOf,
  searchKey,
  type UsernameTaken,
} from '@zonewright/core';
import type { Connection } from './database.ts';
import { containing } from './like.ts';
import { isEmpty, many, one, required, run } from './query.ts';
import { sql } from './sql.ts';

export const postgresBasicAuthUsers = (on: Connection): BasicAuthUsers => ({
  list: (zone, username, page) =>
    many<BasicAuthUser & { readonly totalItems: number }>(on, sql.basicAuthUsers.list, {
      zone,
      pattern: username === undefined ? null : containing(searchKey(username)),
      limit: page.itemsPerPage,
      offset: offsetOf(page),
    }).map(([first, ...others]) => {
      const rows = first === undefined || isEmpty(first) ? [] : [first, ...others];
      return { items: rows.map(({ totalItems: _, ...user }) => user), totalItems: first?.totalItems ?? 0 };
    }),
  all: (zone) => many<BasicAuthUser>(on, sql.basicAuthUsers.all, { zone }),
  idsIn: (zone) =>
    many<{ id: BasicAuthUserId }>(on, sql.basicAuthUsers.idsIn, { zone }).map(
      (rows) => new Set(rows.map(({ id }) => id)),
    ),
  byId: (zone, id) =>
    required<BasicAuthUser, BasicAuthUserNotFound>(on, sql.basicAuthUsers.byId, { zone, id }, basicAuthUserNotFound),
  add: (user, hash) =>
    required<BasicAuthUser, UsernameTaken>(
      on,
      sql.basicAuthUsers.add,
      { ...user, usernameKey: searchKey(user.username), hash },
      () => ({ type: 'UsernameTaken' }),
    ),
  save: (user, hash) => one<BasicAuthUser>(on, sql.basicAuthUsers.save, { ...user, hash: hash ?? null }),
  remove: (zone, id) => run(on, sql.basicAuthUsers.remove, { zone, id }),
});
