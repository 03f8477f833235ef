import {
  invalidCredentials,
  type Session,
  type SessionId,
  type Sessions,
  sessionNotFound,
  unauthenticated,
} from '@zonewright/core';
import { err, ok, okAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { type MembershipRow, membershipsOf } from './memberships.ts';
import { many, maybe, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';

type SessionRow = Omit<Session, 'userAgent'> & { readonly userAgent: string | null };

export const postgresSessions = (on: Connection): Sessions => ({
  // Opening locks the user: whoever comes next finds this session when the surplus is counted.
  open: ({ maxLive, ...session }) =>
    required(on, sql.sessions.open, session, invalidCredentials)
      .andThen(() => many<{ id: SessionId }>(on, sql.sessions.endSurplus, { ...session, others: maxLive - 1 }))
      .map((ended) => ended.map(({ id }) => id)),
  caller: ({ sessionId, userId }) =>
    many<MembershipRow>(on, sql.sessions.caller, { sessionId, userId }).andThen((rows) =>
      rows.length === 0
        ? err(unauthenticated())
        : ok({ userId, credential: { kind: 'session' as const, id: sessionId }, memberships: membershipsOf(rows) }),
    ),
  list: (userId, page) =>
    pageOf<SessionRow>(on, sql.sessions, { userId }, page).map(({ items, totalItems }) => ({
      items: items.map(sessionOf),
      totalItems,
    })),
  end: ({ sessionId, userId }) => maybe(on, sql.sessions.end, { sessionId, userId }).map((row) => row !== undefined),
  endLive: ({ sessionId, userId }) =>
    required(on, sql.sessions.endLive, { sessionId, userId }, sessionNotFound).map(() => undefined),
  endAllOf: (userId, except) =>
    run(on, sql.sessions.endAllOf, { userId, except }).andThen(() =>
      except === undefined ? run(on, sql.challenges.voidAllOf, { userId }) : okAsync(),
    ),
});

const sessionOf = ({ userAgent, ...row }: SessionRow): Session => ({ ...row, userAgent: userAgent ?? undefined });
