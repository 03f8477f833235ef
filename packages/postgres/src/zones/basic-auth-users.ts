import { type BasicAuthUser, type BasicAuthUsers, basicAuthUserNotFound, offsetOf, searchKey } from '@zonewright/core';
import type { Connection } from '../connection/database.ts';
import { substringPattern } from '../connection/like-pattern.ts';
import { isEmpty, many, required } from '../connection/query.ts';
import { sql } from '../sql.ts';

export const postgresBasicAuthUsers = (on: Connection): BasicAuthUsers => ({
  list: (zone, username, page) =>
    many<BasicAuthUser & { readonly totalItems: number }>(on, sql.basicAuthUsers.list, {
      zone,
      pattern: username === undefined ? null : substringPattern(searchKey(username)),
      limit: page.itemsPerPage,
      offset: offsetOf(page),
    }).map(([first, ...others]) => {
      const rows = first === undefined || isEmpty(first) ? [] : [first, ...others];
      return { items: rows.map(({ totalItems: _, ...user }) => user), totalItems: first?.totalItems ?? 0 };
    }),
  byId: (zone, id) => required<BasicAuthUser>(on, sql.basicAuthUsers.byId, { zone, id }).mapErr(basicAuthUserNotFound),
});
