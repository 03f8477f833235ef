import {
  type AccessClaims,
  invalidCredentials,
  type Session,
  type Sessions,
  sessionNotFound,
  type UserId,
  usesTwoFactors,
} from '@zonewright/core';
import { errAsync, okAsync } from 'neverthrow';
import { pageOf, sortedBy } from '../pages.ts';
import { secondsAfter } from '../seconds-after.ts';
import type { SessionRow } from '../tables/account-rows.ts';
import { type Unit } from '../tables/tables.ts';
import { isLive, standingOf } from './callers.ts';
import { voidChallenges } from './challenges.ts';

export const memorySessions = (unit: Unit): Sessions => {
  const { tables, now } = unit;
  const { sessions, users } = tables;
  const lives = (session: SessionRow) => isLive(session, unit);
  const ofUser = (user: UserId) => [...sessions.values()].filter(({ userId }) => userId === user);
  const named = ({ sessionId, userId }: AccessClaims) => ofUser(userId).find(({ id }) => id === sessionId);
  const end = (session: SessionRow) => sessions.set(session.id, { ...session, ended: true });
  return {
    open: ({ userId, credentialsVersion, lifetimeSeconds, maxLive, ...session }) => {
      const user = users.get(userId);
      const unchanged = user?.credentialsVersion === credentialsVersion && standingOf(user) === 'active';
      if (!unchanged) return errAsync(invalidCredentials());
      const moments = {
        createdAt: now(),
        confirmedAt: now(),
        lastUsedAt: now(),
        expiresAt: secondsAfter(now(), lifetimeSeconds),
      };
      const others = sortedBy(ofUser(userId).filter(lives), ({ lastUsedAt, id }) => [lastUsedAt, id]).toReversed();
      const surplus = others.slice(maxLive - 1);
      for (const each of surplus) end(each);
      sessions.set(session.id, { ...session, ...moments, userId, ended: false });
      return okAsync(surplus.map(({ id }) => id));
    },
    list: (user, page) => {
      const live = ofUser(user).filter(lives).map(sessionOf);
      const lastUsedFirst = sortedBy(live, ({ lastUsedAt, id }) => [lastUsedAt, id]).toReversed();
      return okAsync(pageOf(lastUsedFirst, page));
    },
    confirm: (claims) => {
      const session = named(claims);
      if (session === undefined || !lives(session)) return errAsync(sessionNotFound());
      sessions.set(session.id, { ...session, confirmedAt: now() });
      return okAsync();
    },
    end: (claims) => {
      const session = named(claims);
      if (session === undefined || session.ended) return okAsync(false);
      end(session);
      return okAsync(true);
    },
    endLive: (claims) => {
      const session = named(claims);
      if (session === undefined || !lives(session)) return errAsync(sessionNotFound());
      end(session);
      return okAsync();
    },
    endAllOf: (userId, except) => {
      for (const session of ofUser(userId)) if (session.id !== except) end(session);
      if (except === undefined) voidChallenges(tables, userId);
      return okAsync();
    },
    endAllBy: (userId, provider) => {
      for (const session of ofUser(userId)) if (session.provider === provider) end(session);
      return okAsync();
    },
  };
};

const sessionOf = ({ id, createdAt, lastUsedAt, expiresAt, userAgent, methods }: SessionRow): Session => ({
  id,
  createdAt,
  lastUsedAt,
  expiresAt,
  userAgent,
  twoFactor: usesTwoFactors(methods),
});
