import type { BasicAuthUserId, BasicAuthUsers } from '@zonewright/core';
import type { Connection } from './database.ts';
import { many } from './query.ts';
import { sql } from './sql.ts';

export const postgresBasicAuthUsers = (on: Connection): BasicAuthUsers => ({
  idsIn: (zone) =>
    many<{ id: BasicAuthUserId }>(on, sql.basicAuthUsers.idsIn, { zone }).map(
      (rows) => new Set(rows.map(({ id }) => id)),
    ),
});
