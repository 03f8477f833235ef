import { invalidCredentials, type Session, type SessionId, type Sessions, sessionNotFound } from '@zonewright/core';
import { okAsync } from 'neverthrow';
import type { Connection } from './database.ts';
import { many, maybe, pageOf, required, run } from './query.ts';
import { sql } from './sql.ts';

type SessionRow = Omit<Session, 'userAgent'> & { readonly userAgent: string | null };

export const postgresSessions = (on: Connection): Sessions => ({
  // Locks the user, so that a concurrent sign-in counts this session too.
  open: ({ maxLive, ...session }) =>
    required(on, sql.sessions.open, session, invalidCredentials)
      .andThen(() => many<{ id: SessionId }>(on, sql.sessions.endSurplus, { ...session, others: maxLive - 1 }))
      .map((ended) => ended.map(({ id }) => id)),
  list: (userId, page) => pageOf(on, sql.sessions, { userId }, page, sessionOf),
  confirm: ({ sessionId, userId }) =>
    required(on, sql.sessions.confirm, { sessionId, userId }, sessionNotFound).map(() => undefined),
  end: ({ sessionId, userId }) => maybe(on, sql.sessions.end, { sessionId, userId }).map((row) => row !== undefined),
  endLive: ({ sessionId, userId }) =>
    required(on, sql.sessions.endLive, { sessionId, userId }, sessionNotFound).map(() => undefined),
  endAllOf: (userId, except) =>
    run(on, sql.sessions.endAllOf, { userId, except }).andThen(() =>
      except === undefined ? run(on, sql.challenges.voidAllOf, { userId }) : okAsync(),
    ),
  endAllBy: (userId, provider) => run(on, sql.sessions.endAllBy, { userId, provider }),
});

const sessionOf = ({ userAgent, ...row }: SessionRow): Session => ({ ...row, userAgent: userAgent ?? undefined });
