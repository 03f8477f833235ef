import type { Result, ResultAsync } from 'neverthrow';
import type { RecognizedCaller } from '../access/credential.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { AccountStanding, CredentialsVersion } from '../accounts/account.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { Client } from '../shared/client.ts';
import type { SessionId, UserId } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';
import type { TokenHash } from '../shared/token-hash.ts';
import type { ChallengeInvalid, InvalidCredentials, SessionNotFound } from './errors.ts';
import type { AccessClaims, AuthenticationMethod, Session } from './session.ts';

/** Sign-ins that are still remembered. A session lives until it is ended or its lifetime is over. */
export interface Sessions {
  /**
   * Opens a session, unless the credentials changed since they were checked. Of the user's other live sessions the ones
   * used last stay, `maxLive` with the new one, however many are opened at once; the others end. Resolves to those.
   */
  open(session: {
    readonly id: SessionId;
    readonly userId: UserId;
    readonly credentialsVersion: CredentialsVersion;
    readonly methods: readonly AuthenticationMethod[];
    readonly userAgent: string | undefined;
    readonly lifetimeSeconds: number;
    readonly maxLive: number;
  }): ResultAsync<readonly SessionId[], InvalidCredentials>;
  /** The caller of a live session of an account in good standing, with their memberships as they are now. */
  caller(claims: AccessClaims): ResultAsync<RecognizedCaller, Unauthenticated>;
  /** The user's live sessions, the one used last first. */
  list(user: UserId, page: PageRequest): ResultAsync<Page<Session>, never>;
  /** Ends one session of the user; resolves to whether it had not ended before and is theirs. */
  end(session: AccessClaims): ResultAsync<boolean, never>;
  /** Ends one live session of the user. */
  endLive(session: AccessClaims): ResultAsync<void, SessionNotFound>;
  /**
   * Ends every session of the user, except one if it is named. Where none is excepted, the user's pending challenges
   * die too.
   */
  endAllOf(userId: UserId, except?: SessionId): ResultAsync<void, never>;
}

/** Sign-ins of users, and from where they come. */
export interface SignIns {
  /**
   * Notes a sign-in from a network, and makes other units that do so for the user wait. Resolves to `first` when there was
   * none before from anywhere, to `known` when there was one from this network in the last `rememberedSeconds`, else to
   * `new`. Only the `kept` networks used last are remembered.
   */
  noteNetwork(
    userId: UserId,
    network: string,
    limits: { readonly rememberedSeconds: number; readonly kept: number },
  ): ResultAsync<'first' | 'known' | 'new', never>;
  /**
   * Atomic by itself: opens a session as `Sessions.open` does, with its first refresh token, notes its network, and records
   * all of it. Resolves to false, having written nothing, where that takes a unit: when the network is new, or another
   * sign-in of the user comes in between.
   */
  openQuietly(signIn: QuietSignIn): ResultAsync<boolean, InvalidCredentials>;
}

/** A sign-in that needs no mail. */
export interface QuietSignIn {
  readonly session: Parameters<Sessions['open']>[0];
  readonly refreshToken: { readonly hash: TokenHash; readonly lifetimeSeconds: number };
  readonly client: Client;
  /** For how long after its last use a network is known. */
  readonly rememberedSeconds: number;
  readonly recorded: { readonly opened: AuditAction; readonly ended: AuditAction };
}

/** What became of a refresh token that is presented. */
export type PresentedRefreshToken =
  | { readonly state: 'unknown' }
  /** The same token is being used at this moment by another unit. */
  | { readonly state: 'in flight' }
  /** Expired, or its session has ended. */
  | { readonly state: 'dead' }
  /** Used before, in a session that still lives. */
  | { readonly state: 'used'; readonly userId: UserId; readonly sessionId: SessionId }
  | {
      readonly state: 'live';
      readonly userId: UserId;
      readonly sessionId: SessionId;
      readonly methods: readonly AuthenticationMethod[];
      readonly standing: AccountStanding;
    };

/** What came of exchanging a refresh token for its successor; nothing was written unless it is `rotated`. */
export type Rotation =
  | { readonly state: 'unknown' }
  /** The same token is being used at this moment by another unit. */
  | { readonly state: 'in flight' }
  /** Dead or used before, or the account is not in good standing: `present` says which. */
  | { readonly state: 'refused' }
  | {
      readonly state: 'rotated';
      readonly userId: UserId;
      readonly sessionId: SessionId;
      readonly methods: readonly AuthenticationMethod[];
    };

/** Refresh tokens, stored as hashes. A session has at most one live one; used ones are kept as long as the session. */
export interface RefreshTokens {
  /** The first refresh token of a session. */
  add(token: {
    readonly hash: TokenHash;
    readonly sessionId: SessionId;
    readonly lifetimeSeconds: number;
  }): ResultAsync<void, never>;
  /** Locks the token's user and session for the rest of the unit; never waits for another use of the same token. */
  present(hash: TokenHash): ResultAsync<PresentedRefreshToken, never>;
  /**
   * Atomic by itself. Marks a live token of an account in good standing as used, puts its successor in place, which
   * never outlives the session, and records it. Never waits for another use of the same token.
   */
  rotate(
    hash: TokenHash,
    successor: { readonly hash: TokenHash; readonly lifetimeSeconds: number },
    recorded: { readonly action: AuditAction; readonly client: Client },
  ): ResultAsync<Rotation, never>;
  /** The session a token belongs or belonged to, whatever became of either. */
  sessionOf(hash: TokenHash): ResultAsync<AccessClaims | undefined, never>;
}

/** Who answers a challenge, and the credentials they had when it was issued. */
export interface Challenged {
  readonly userId: UserId;
  readonly credentialsVersion: CredentialsVersion;
}

/** Pending second steps of sign-ins, stored as hashes. */
export interface Challenges {
  /** Issues a challenge for credentials just checked; older ones of the user die. */
  issue(challenge: {
    readonly hash: TokenHash;
    readonly userId: UserId;
    readonly credentialsVersion: CredentialsVersion;
    readonly lifetimeSeconds: number;
  }): ResultAsync<void, InvalidCredentials>;
  /** Who may answer the challenge at this moment; undefined for one that `countAttempt` would refuse. */
  holder(hash: TokenHash, maxAttempts: number): ResultAsync<UserId | undefined, never>;
  /** Counts one attempt; fails when the challenge is unknown, spent, expired, void or out of attempts. */
  countAttempt(hash: TokenHash, maxAttempts: number): ResultAsync<Challenged, ChallengeInvalid>;
  /** Spends the challenge; of any number of simultaneous calls exactly one succeeds. */
  spend(hash: TokenHash): ResultAsync<void, ChallengeInvalid>;
}

/** Signed, short-lived access tokens (RFC 9068). */
export interface AccessTokens {
  issue(claims: AccessClaims & { readonly methods: readonly AuthenticationMethod[] }): string;
  verify(token: string): Result<AccessClaims, Unauthenticated>;
  /** As `verify`, but takes expired tokens too: good enough to log out, nothing more. */
  verifyIgnoringExpiry(token: string): Result<AccessClaims, Unauthenticated>;
}
