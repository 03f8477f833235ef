import {
  type PresentedRefreshToken,
  type RefreshTokens,
  type SessionId,
  sessionActions,
  type TokenHash,
} from '@zonewright/core';
import { okAsync } from 'neverthrow';
import { memoryAuditLog } from '../organizations/audit-log.ts';
import { secondsAfter } from '../seconds-after.ts';
import { type Unit } from '../tables/tables.ts';
import { standingOf } from './callers.ts';

export const memoryRefreshTokens = (unit: Unit): RefreshTokens => {
  const { refreshTokens, sessions } = unit.tables;
  const auditLog = memoryAuditLog(unit);
  const add: RefreshTokens['add'] = ({ hash, sessionId, lifetimeSeconds }) => {
    const session = sessions.get(sessionId);
    if (session === undefined || hasLiveToken(unit, sessionId)) {
      throw new Error('The session already has a valid refresh token, or does not exist.');
    }
    const requestedExpiry = secondsAfter(unit.now(), lifetimeSeconds);
    const expiresAt = requestedExpiry < session.expiresAt ? requestedExpiry : session.expiresAt;
    refreshTokens.set(hash, { sessionId, expiresAt, usedBy: undefined });
    return okAsync();
  };
  return {
    add,
    present: (hash) => okAsync(presented(unit, hash)),
    rotate: (hash, successor, client) => {
      const presentedToken = presented(unit, hash);
      if (presentedToken.state === 'unknown' || presentedToken.state === 'in flight') return okAsync(presentedToken);
      const token = refreshTokens.get(hash);
      if (token === undefined || presentedToken.state !== 'live' || presentedToken.standing === 'inactive') {
        return okAsync({ state: 'refused' });
      }
      const { userId, sessionId, methods } = presentedToken;
      refreshTokens.set(hash, { ...token, usedBy: unit.commit });
      const session = sessions.get(sessionId);
      if (session !== undefined) sessions.set(session.id, { ...session, lastUsedAt: unit.now() });
      const entry = {
        action: sessionActions.refreshed,
        actor: userId,
        credential: undefined,
        organization: undefined,
        client,
      };
      return add({ ...successor, sessionId })
        .andThen(() => auditLog.record({ ...entry, objects: { session: sessionId } }))
        .map(() => ({ state: 'rotated', userId, sessionId, methods }));
    },
    sessionOf: (hash) => {
      const token = refreshTokens.get(hash);
      const session = token && sessions.get(token.sessionId);
      return okAsync(session && { sessionId: session.id, userId: session.userId });
    },
  };
};

const hasLiveToken = ({ tables: { refreshTokens } }: Unit, session: SessionId): boolean =>
  [...refreshTokens.values()].some(({ sessionId, usedBy }) => sessionId === session && usedBy === undefined);

function rowOf(tables: Unit['tables'], hash: TokenHash) {
  const token = tables.refreshTokens.get(hash);
  const session = token && tables.sessions.get(token.sessionId);
  const user = session && tables.users.get(session.userId);
  return user && { token, session, user };
}

function presented({ tables, now, arrivedAfter }: Unit, hash: TokenHash): PresentedRefreshToken {
  const row = rowOf(tables, hash);
  if (row === undefined) return { state: 'unknown' };
  const { token, session, user } = row;
  // Used by a unit that was still running when this one was requested: in a database, both would have run concurrently.
  if (token.usedBy !== undefined && token.usedBy > arrivedAfter) return { state: 'in flight' };
  if (session.ended || session.expiresAt <= now()) return { state: 'dead' };
  const { id: sessionId, userId, methods } = session;
  if (token.usedBy !== undefined) return { state: 'used', userId, sessionId };
  if (token.expiresAt <= now()) return { state: 'dead' };
  return { state: 'live', userId, sessionId, methods, standing: standingOf(user) };
}
