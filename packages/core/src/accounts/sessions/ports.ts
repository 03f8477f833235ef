import type { Result, ResultAsync } from 'neverthrow';
import type { Client } from '../../kernel/shared/client.ts';
import type { ProviderId, SessionId, UserId } from '../../kernel/shared/ids.ts';
import type { Page, PageRequest } from '../../kernel/shared/page.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { Unauthenticated } from '../../organizations/access/errors.ts';
import type { AccountStanding, CredentialsVersion } from '../accounts/account.ts';
import type { ChallengeInvalid, InvalidCredentials, SessionNotFound } from './errors.ts';
import type { AccessClaims, AuthenticationMethod, Session } from './session.ts';

/** What a user has proven, and by whom it was attested. */
export interface SignInProof {
  readonly userId: UserId;
  readonly credentialsVersion: CredentialsVersion;
  readonly methods: readonly AuthenticationMethod[];
  /** The identity provider that attested it, if any. */
  readonly provider?: string | undefined;
}

/** Sessions of users. A session is live until it is ended or expires. */
export interface Sessions {
  /**
   * Opens a session unless the credentials have changed since they were checked. At most `maxLive` sessions of the user
   * stay live, including the new one and under concurrency; the least recently used ones end. Resolves to the ended
   * ones.
   */
  open(
    session: Required<SignInProof> & {
      readonly id: SessionId;
      readonly userAgent: string | undefined;
      readonly lifetimeSeconds: number;
      readonly maxLive: number;
    },
  ): ResultAsync<readonly SessionId[], InvalidCredentials>;
  /** The user's live sessions, most recently used first. */
  list(user: UserId, page: PageRequest): ResultAsync<Page<Session>, never>;
  /** Marks a live session of the user as confirmed now, as a new one is. */
  confirm(session: AccessClaims): ResultAsync<void, SessionNotFound>;
  /** Ends a session of the user; resolves to whether it was theirs and had not ended yet. */
  end(session: AccessClaims): ResultAsync<boolean, never>;
  /** Ends one live session of the user. */
  endLive(session: AccessClaims): ResultAsync<void, SessionNotFound>;
  /**
   * Ends all of the user's sessions, except one if given. Without an exception, pending challenges become invalid, too.
   */
  endAllOf(userId: UserId, except?: SessionId): ResultAsync<void, never>;
  /** Ends the user's sessions that were opened by signing in by the provider. */
  endAllBy(userId: UserId, provider: ProviderId): ResultAsync<void, never>;
}

/** Sign-ins of users, and the networks they come from. */
export interface SignIns {
  /**
   * Records a sign-in from a network, and makes other units that do so for the user wait. Resolves to `first` for the
   * user's first sign-in ever, `known` if there was one from this network in the last `rememberedSeconds`, else `new`.
   * Only the `kept` most recently used networks are remembered.
   */
  noteNetwork(
    userId: UserId,
    network: string,
    limits: { readonly rememberedSeconds: number; readonly kept: number },
  ): ResultAsync<'first' | 'known' | 'new', never>;
  /**
   * Atomic by itself: opens a session like `Sessions.open` with its first refresh token, records its network, and
   * records `sessionActions.opened` (with the provider) and `.ended` in the audit log. Resolves to false without writing anything if that needs a unit: if the network is new, or another
   * sign-in of the user interferes.
   */
  openSilently(signIn: SilentSignIn): ResultAsync<boolean, InvalidCredentials>;
}

/** A sign-in that sends no mail. */
export interface SilentSignIn {
  readonly session: Parameters<Sessions['open']>[0];
  readonly refreshToken: { readonly hash: TokenHash; readonly lifetimeSeconds: number };
  readonly client: Client;
  /** How long a network stays known after its last use. */
  readonly rememberedSeconds: number;
}

/** What an access token says of its session. */
export interface TokenClaims extends AccessClaims {
  readonly methods: readonly AuthenticationMethod[];
}

/** The state of a presented refresh token. */
export type PresentedRefreshToken =
  | { readonly state: 'unknown' }
  /** Another unit is using the same token right now. */
  | { readonly state: 'in flight' }
  /** Expired, or its session has ended. */
  | { readonly state: 'dead' }
  /** Used before, and its session is still live. */
  | (AccessClaims & { readonly state: 'used' })
  | (TokenClaims & { readonly state: 'live'; readonly standing: AccountStanding });

/** The result of exchanging a refresh token; nothing is written unless it is `rotated`. */
export type Rotation =
  | { readonly state: 'unknown' }
  /** Another unit is using the same token right now. */
  | { readonly state: 'in flight' }
  /** Dead, used before, or the account is inactive: `present` tells which. */
  | { readonly state: 'refused' }
  | (TokenClaims & { readonly state: 'rotated' });

/**
 * Refresh tokens, stored as hashes. A session has at most one live token; used ones are kept as long as the session.
 */
export interface RefreshTokens {
  /** The first refresh token of a session. */
  add(token: {
    readonly hash: TokenHash;
    readonly sessionId: SessionId;
    readonly lifetimeSeconds: number;
  }): ResultAsync<void, never>;
  /** Locks the token's user and session until the unit ends; never waits for another use of the same token. */
  present(hash: TokenHash): ResultAsync<PresentedRefreshToken, never>;
  /**
   * Atomic by itself. Marks a live token of an active account as used, stores its successor, which never outlives the
   * session, and records `sessionActions.refreshed` in the audit log. Never waits for another use of the same token.
   */
  rotate(
    hash: TokenHash,
    successor: { readonly hash: TokenHash; readonly lifetimeSeconds: number },
    client: Client,
  ): ResultAsync<Rotation, never>;
  /** The session that a token belongs or belonged to, live or not. */
  sessionOf(hash: TokenHash): ResultAsync<AccessClaims | undefined, never>;
}

/** The user of a challenge, and the credentials it was issued for: what was proven in the first step of a sign-in. */
export interface ChallengedUser {
  readonly userId: UserId;
  readonly credentialsVersion: CredentialsVersion;
  /** The identity provider of the first step; undefined: it was the password. */
  readonly provider?: ProviderId | undefined;
}

/** Pending second steps of sign-ins, stored as hashes. */
export interface Challenges {
  /** Issues a challenge for credentials just checked; earlier ones of the user become invalid. */
  issue(
    challenge: ChallengedUser & { readonly hash: TokenHash; readonly lifetimeSeconds: number },
  ): ResultAsync<void, InvalidCredentials>;
  /** The user who may answer the challenge now; undefined if `countAttempt` would fail. */
  holder(hash: TokenHash, maxAttempts: number): ResultAsync<UserId | undefined, never>;
  /** Counts one attempt; fails if the challenge is unknown, used, expired, void or out of attempts. */
  countAttempt(hash: TokenHash, maxAttempts: number): ResultAsync<ChallengedUser, ChallengeInvalid>;
  /** Marks the challenge as used; of concurrent calls, exactly one succeeds. */
  spend(hash: TokenHash): ResultAsync<void, ChallengeInvalid>;
}

/** Signed, short-lived access tokens (RFC 9068). */
export interface AccessTokens {
  issue(claims: TokenClaims): string;
  verify(token: string): Result<AccessClaims, Unauthenticated>;
  /** Like `verify`, but accepts expired tokens: only for logging out. */
  verifyIgnoringExpiry(token: string): Result<AccessClaims, Unauthenticated>;
}
