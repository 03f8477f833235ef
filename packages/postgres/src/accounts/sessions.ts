import { invalidCredentials, type Session, type SessionId, type Sessions, sessionNotFound } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { change, column, itemOf, maybe, pageOf, required, run } from '../connection/query.ts';
import { sql } from '../sql.ts';

export const postgresSessions = (on: Connection): Sessions => ({
  // Locks the user, so that a concurrent sign-in counts this session too.
  open: ({ maxLive, ...session }) =>
    required(on, sql.sessions.open, session)
      .mapErr(invalidCredentials)
      .andThen(() => column<SessionId>(on, sql.sessions.endSurplus, { ...session, others: maxLive - 1 })),
  list: (userId, page) => pageOf(on, sql.sessions, { userId }, page, itemOf<Session>),
  confirm: ({ sessionId, userId }) => change(on, sql.sessions.confirm, { sessionId, userId }).mapErr(sessionNotFound),
  end: ({ sessionId, userId }) => maybe(on, sql.sessions.end, { sessionId, userId }).map((row) => row !== undefined),
  endLive: ({ sessionId, userId }) => change(on, sql.sessions.endLive, { sessionId, userId }).mapErr(sessionNotFound),
  endAllOf: (userId, except) =>
    run(on, sql.sessions.endAllOf, { userId, except }).andThen(() =>
      except === undefined ? run(on, sql.challenges.voidAllOf, { userId }) : okAsync(),
    ),
  endAllBy: (userId, provider) => run(on, sql.sessions.endAllBy, { userId, provider }),
});
