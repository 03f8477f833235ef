import { z } from 'zod';
import type { SessionId, UserId } from '../../kernel/shared/ids.ts';
import type { AuditAction } from '../../organizations/audit/audit-entry.ts';

/**
 * Access tokens last 15 minutes, refresh tokens 30 days (interface, "Limits"); rotation stops 90 days after sign-in.
 */
export const sessionLifetimes = {
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  sessionSeconds: 90 * 24 * 60 * 60,
} as const;

/**
 * Expired sessions, challenges and mailed tokens are kept for a day longer. Used refresh tokens are kept with their
 * session, so that their reuse is recognized until then.
 */
export const expiredCredentialLifetimeSeconds = 24 * 60 * 60;

/**
 * Live sessions per user. A further sign-in ends the least recently used one, so that repeated sign-ins multiply
 * neither rate-limit budgets nor rows.
 */
export const maxLiveSessions = 100;

/** How long a network stays known after the last sign-in from it, and how many are kept per user. */
export const knownNetworks = { rememberedSeconds: 90 * 24 * 60 * 60, kept: 50 } as const;

/** How the audit log names what happens to sessions. */
export const sessionActions = {
  opened: 'session.opened',
  refreshed: 'session.refreshed',
  confirmed: 'session.confirmed',
  ended: 'session.ended',
} as const satisfies Record<string, AuditAction>;

/**
 * Authentication method references: a password, a one-time code, proof of possession of a key, several factors at once
 * (RFC 8176 section 2), or `fed` for an identity provider, for which there is no registered value.
 */
export type AuthenticationMethod = 'pwd' | 'otp' | 'pop' | 'mfa' | 'fed';

/** Whether two factors were used to sign in. */
export const usesTwoFactors = (methods: readonly AuthenticationMethod[]): boolean =>
  methods.includes('otp') || methods.includes('mfa');

/**
 * A presented refresh token. The limit exceeds the length of any issued token, so that a token of another kind is
 * invalid rather than malformed; no longer value fits into a cookie.
 */
export const RefreshToken = z.string().min(1).max(4096).brand<'RefreshToken'>();
export type RefreshToken = z.infer<typeof RefreshToken>;

/** The result of a sign-in or a refresh. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: RefreshToken;
}

/** The claims of an access token; only storage knows whether the session is still live. */
export interface AccessClaims {
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** A session as its user sees it. */
export interface Session {
  readonly id: SessionId;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly userAgent: string | undefined;
  /** Whether a second factor was used to sign in. */
  readonly twoFactor: boolean;
}
