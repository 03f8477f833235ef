import { z } from 'zod';
import type { SessionId, UserId } from '../shared/ids.ts';

/** Access tokens live 15 minutes, refresh tokens 30 days (interface, "Limits"); rotation ends 90 days after sign-in. */
export const sessionLifetimes = {
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  sessionSeconds: 90 * 24 * 60 * 60,
} as const;

/**
 * Live sessions of one user at a time. A sign-in beyond it ends the one that was refreshed, or else opened, the longest
 * time ago, so that signing in again and again multiplies neither budgets nor rows that live.
 */
export const maxLiveSessions = 100;

/** For how long after the last sign-in from it a network is known, and how many of a user at most. */
export const knownNetworks = { rememberedSeconds: 90 * 24 * 60 * 60, kept: 50 } as const;

/** How the user proved to be who they are (RFC 8176). */
export type AuthenticationMethod = 'pwd' | 'otp';

/**
 * What is presented as a refresh token. Longer than any token made here, so that another kind of token is an invalid one
 * rather than a malformed one; longer than that cannot be in a cookie.
 */
export const RefreshToken = z.string().min(1).max(4096).brand<'RefreshToken'>();
export type RefreshToken = z.infer<typeof RefreshToken>;

/** What a sign-in or a refresh hands out. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: RefreshToken;
}

/** What an access token says; only storage knows whether the session still lives. */
export interface AccessClaims {
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** A sign-in as its user sees it. */
export interface Session {
  readonly id: SessionId;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly userAgent: string | undefined;
  /** Whether a second factor was used to sign in. */
  readonly twoFactor: boolean;
}
