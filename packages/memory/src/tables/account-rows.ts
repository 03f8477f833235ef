import type {
  AccountFacts,
  ApiToken,
  AuthenticationMethod,
  Email,
  EmailKey,
  Identity,
  MailedTokenPurpose,
  Passkey,
  PasskeyCredential,
  PasskeyId,
  Profile,
  ProviderId,
  ProviderSubject,
  RecoveryCodeHash,
  SessionId,
  TokenHash,
  TotpSecret,
  UserId,
  UserLimits,
} from '@zonewright/core';

/** An account with its credentials. */
export interface UserRow
  extends Omit<Profile, 'twoFactorEnabled' | 'twoFactorEnforced' | 'hasPassword' | 'connectedProviders'>,
    Pick<AccountFacts, 'passwordHash' | 'credentialsVersion'> {
  /** Undefined: the password is the first, or none. */
  readonly passwordSetAt?: Date | undefined;
  /** Own ones only. */
  readonly limits: UserLimits;
}

/** A mailed token by hash; void once the account's address or credentials change. */
export interface MailedTokenRow {
  readonly userId: UserId;
  readonly purpose: MailedTokenPurpose;
  readonly email: EmailKey;
  readonly credentialsVersion: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Redeemed or superseded. */
  readonly used: boolean;
}

/** An identity at a provider by id. */
export interface IdentityRow extends Identity, ProviderSubject {
  readonly userId: UserId;
}

/** A change of an account's address by the hash of the token that confirms it. */
export interface AddressChangeRow {
  readonly userId: UserId;
  readonly session: SessionId;
  readonly undoing: TokenHash;
  readonly from: Email;
  readonly to: Email;
  readonly credentialsVersion: number;
  readonly createdAt: Date;
  readonly confirmUntil: Date;
  readonly confirmedAt: Date | undefined;
  /** It can be undone until then. */
  readonly expiresAt: Date;
  readonly undone: boolean;
}

/** A session by id; ended ones are kept. */
export interface SessionRow {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly methods: readonly AuthenticationMethod[];
  readonly provider: string | undefined;
  readonly userAgent: string | undefined;
  readonly createdAt: Date;
  readonly confirmedAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly ended: boolean;
}

/** A refresh token by hash; used ones are kept to detect reuse. */
export interface RefreshTokenRow {
  readonly sessionId: SessionId;
  readonly expiresAt: Date;
  /** The commit that used the token. */
  readonly usedBy: number | undefined;
}

/** A pending second step by token hash. */
export interface ChallengeRow {
  readonly userId: UserId;
  readonly credentialsVersion: number;
  /** The identity provider of the first step; undefined: it was the password. */
  readonly provider: ProviderId | undefined;
  readonly attempts: number;
  readonly expiresAt: Date;
  /** Answered or invalidated. */
  readonly spent: boolean;
}

/** Enabled or pending two-factor authentication; without a row, it is disabled. */
export interface TwoFactorRow {
  readonly secret: TotpSecret;
  /** When an unconfirmed secret expires; undefined: it is confirmed. */
  readonly pendingUntil: Date | undefined;
  readonly lastStep: number | undefined;
  /** When the setup began. */
  readonly createdAt: Date;
  readonly enrolledByConfirmed: boolean;
}

/** A passkey by id. */
export interface PasskeyRow extends Passkey, PasskeyCredential {
  readonly id: PasskeyId;
  readonly userId: UserId;
}

/** A challenge to a passkey by hash; used ones are gone. */
export interface PasskeyChallengeRow {
  readonly expiresAt: Date;
}

/** A recovery code; used ones are kept until the whole set is replaced. */
export interface RecoveryCodeRow {
  readonly hash: RecoveryCodeHash;
  readonly createdAt: Date;
  readonly used: boolean;
}

/** An API token; whether it is active depends on the time of the read. */
export interface ApiTokenRow extends Omit<ApiToken, 'active'> {
  readonly userId: UserId;
  readonly hash: TokenHash;
  readonly revoked: boolean;
}
