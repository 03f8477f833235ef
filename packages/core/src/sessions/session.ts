import { z } from 'zod';
import type { Role } from '../organizations/role.ts';
import type { OrganizationId, SessionId, UserId } from '../shared/ids.ts';

/** Access tokens live 15 minutes, refresh tokens 30 days (interface, "Limits"); rotation ends 90 days after sign-in. */
export const sessionLifetimes = {
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  sessionSeconds: 90 * 24 * 60 * 60,
} as const;

/** How the user proved to be who they are (RFC 8176). */
export type AuthenticationMethod = 'pwd' | 'otp';

export const RefreshToken = z.string().min(1).max(256).brand<'RefreshToken'>();
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

/** Who calls, proven by a live credential, with the rights they have at this moment. */
export interface Caller {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly memberships: ReadonlyMap<OrganizationId, Role>;
}
