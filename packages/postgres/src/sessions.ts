import { invalidCredentials, type OrganizationId, type Role, type Sessions, unauthenticated } from '@zonewright/core';
import type { Connection } from './database.ts';
import { required, run } from './query.ts';
import { sql } from './sql.ts';

interface CallerRow {
  readonly organizations: readonly OrganizationId[];
  /** Of the organization at the same place. */
  readonly roles: readonly Role[];
}

export const postgresSessions = (on: Connection): Sessions => ({
  open: (session) => required(on, sql.sessions.open, { ...session }, invalidCredentials).map(() => undefined),
  caller: ({ sessionId, userId }) =>
    required<CallerRow, ReturnType<typeof unauthenticated>>(
      on,
      sql.sessions.caller,
      { sessionId, userId },
      unauthenticated,
    ).map(({ organizations, roles }) => ({
      sessionId,
      userId,
      memberships: new Map(organizations.flatMap((id, index) => (roles[index] ? [[id, roles[index]] as const] : []))),
    })),
  end: ({ sessionId, userId }) => run(on, sql.sessions.end, { sessionId, userId }),
  endAllOf: (userId) => run(on, sql.sessions.endAllOf, { userId }),
});
