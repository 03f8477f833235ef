import type { UserId } from '@zonewright/core';
import { invalidCredentials, type OrganizationId, type Role, type Sessions, unauthenticated } from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { standingOf } from './accounts.ts';
import { later, type Tables, type Unit } from './tables.ts';

export const memorySessions = ({ tables, now }: Unit): Sessions => {
  const { sessions, users } = tables;
  return {
    open: ({ userId, credentialsVersion, lifetimeSeconds, ...session }) => {
      const user = users.get(userId);
      const unchanged = user?.credentialsVersion === credentialsVersion && standingOf(user) === 'active';
      if (!unchanged) return errAsync(invalidCredentials());
      sessions.set(session.id, {
        ...session,
        userId,
        createdAt: now(),
        expiresAt: later(now(), lifetimeSeconds),
        ended: false,
      });
      return okAsync();
    },
    caller: ({ sessionId, userId }) => {
      const session = sessions.get(sessionId);
      const user = users.get(userId);
      const live = session?.userId === userId && !session.ended && session.expiresAt > now();
      if (!live || user === undefined || standingOf(user) === 'inactive') return errAsync(unauthenticated());
      return okAsync({ userId, sessionId, memberships: membershipsOf(tables, userId) });
    },
    end: ({ sessionId, userId }) => {
      const session = sessions.get(sessionId);
      if (session?.userId === userId) sessions.set(sessionId, { ...session, ended: true });
      return okAsync();
    },
    endAllOf: (userId) => {
      for (const [id, session] of sessions) {
        if (session.userId === userId) sessions.set(id, { ...session, ended: true });
      }
      return okAsync();
    },
  };
};

const membershipsOf = ({ organizations }: Tables, user: UserId): ReadonlyMap<OrganizationId, Role> =>
  new Map(
    [...organizations].flatMap(([id, { members }]) => {
      const role = members.get(user);
      return role === undefined ? [] : [[id, role] as const];
    }),
  );
