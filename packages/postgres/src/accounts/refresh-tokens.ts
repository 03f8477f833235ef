import {
  type AccessClaims,
  type AuthenticationMethod,
  type PresentedRefreshToken,
  type RefreshTokens,
  type Rotation,
  sessionActions,
  type TokenHash,
} from '@zonewright/core';
import { okAsync, type ResultAsync } from 'neverthrow';
import type { Connection } from '../connection/database.ts';
import { maybe, one } from '../connection/query.ts';
import { sql } from '../sql.ts';
import { standing } from './accounts.ts';

export const postgresRefreshTokens = (on: Connection): RefreshTokens => ({
  add: (token) => one(on, sql.refreshTokens.add, { ...token }).map(() => undefined),
  present: (hash) =>
    maybe<AccessClaims & { locked: boolean }>(on, sql.refreshTokens.tryLock, { hash }).andThen((claims) => {
      if (claims === undefined) return okAsync({ state: 'unknown' as const });
      return claims.locked ? lockAndRead(on, hash, claims) : okAsync({ state: 'in flight' as const });
    }),
  rotate: (hash, { hash: successor, lifetimeSeconds }, { network, userAgent }) =>
    maybe<RotationRow>(on, sql.refreshTokens.rotate, {
      hash,
      successor,
      lifetimeSeconds,
      action: sessionActions.refreshed,
      network,
      userAgent,
    }).map(rotationOf),
  sessionOf: (hash) => maybe<AccessClaims>(on, sql.refreshTokens.sessionOf, { hash }),
});

interface UserRow {
  readonly inGoodStanding: boolean;
}

interface SessionRow {
  readonly methods: readonly AuthenticationMethod[];
  readonly sessionLives: boolean;
  readonly used: boolean;
  readonly tokenLives: boolean;
}

interface RotationRow extends AccessClaims {
  readonly locked: boolean;
  /** Null unless the token was rotated. */
  readonly methods: readonly AuthenticationMethod[] | null;
}

function rotationOf(row: RotationRow | undefined): Rotation {
  if (row === undefined) return { state: 'unknown' };
  const { locked, methods, userId, sessionId } = row;
  if (!locked) return { state: 'in flight' };
  return methods === null ? { state: 'refused' } : { state: 'rotated', userId, sessionId, methods };
}

/** Lock order: user, then session. The token is read only once both are held. */
const lockAndRead = (
  on: Connection,
  hash: TokenHash,
  claims: AccessClaims,
): ResultAsync<PresentedRefreshToken, never> =>
  maybe<UserRow>(on, sql.refreshTokens.lockUser, { userId: claims.userId }).andThen((user) =>
    maybe<SessionRow>(on, sql.refreshTokens.lockSession, { hash }).map((session) => presented(claims, user, session)),
  );

function presented(
  { userId, sessionId }: AccessClaims,
  user: UserRow | undefined,
  session: SessionRow | undefined,
): PresentedRefreshToken {
  if (user === undefined || session === undefined) return { state: 'unknown' };
  if (!session.sessionLives) return { state: 'dead' };
  if (session.used) return { state: 'used', userId, sessionId };
  if (!session.tokenLives) return { state: 'dead' };
  return { state: 'live', userId, sessionId, methods: session.methods, standing: standing(user.inGoodStanding) };
}
