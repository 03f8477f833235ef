import type { ResultAsync } from 'neverthrow';
import type { Email, EmailKey } from '../../kernel/mail/email.ts';
import type { MailedTokenPurpose } from '../../kernel/mail/mailed-token.ts';
import type { SessionId, UserId } from '../../kernel/shared/ids.ts';
import type { TokenHash } from '../../kernel/shared/token-hash.ts';
import type { AccountNotFound, Unauthenticated } from '../../organizations/access/errors.ts';
import type { EnrolledFactors } from '../../organizations/access/second-factor.ts';
import type { AccountStanding, CredentialsVersion, Profile, ProfileSettings, UserSummary } from './account.ts';
import type { EmailTaken, HashingBusy, MailedTokenInvalid } from './errors.ts';
import type { Password, PasswordAttempt, PasswordHash } from './password.ts';

/** The facts that decide whether an account may sign in. */
export interface AccountFacts extends EnrolledFactors {
  readonly userId: UserId;
  /** Absent if the account signs in only through identity providers. */
  readonly passwordHash: PasswordHash | undefined;
  readonly standing: AccountStanding;
  readonly emailVerified: boolean;
  /** Blocked by an operator. */
  readonly blocked: boolean;
  /** The address as stored. */
  readonly email: Email;
  /** The number of linked identity providers. */
  readonly providers: number;
  readonly credentialsVersion: CredentialsVersion;
}

/** Accounts of people. Addresses that differ only in ASCII case belong to the same account. */
export interface Accounts {
  /** Adds an unverified account; of concurrent additions for one address, exactly one succeeds. */
  add(
    account: UserSummary & {
      /** Absent if the owner has yet to choose a password. */
      readonly passwordHash: PasswordHash | undefined;
    },
  ): ResultAsync<void, EmailTaken>;
  /** Like `facts`, by address; undefined if no account has it. */
  factsByEmail(email: EmailKey): ResultAsync<AccountFacts | undefined, never>;
  facts(id: UserId): ResultAsync<AccountFacts, AccountNotFound>;
  profile(id: UserId): ResultAsync<Profile, AccountNotFound>;
  /** Marks the address as verified if the account still has it; an operator's block stays. */
  markEmailVerified(id: UserId, email: EmailKey): ResultAsync<void, MailedTokenInvalid>;
  saveProfile(id: UserId, settings: ProfileSettings): ResultAsync<Profile, AccountNotFound>;
  /** Like `facts`, and locks the account until the unit ends. */
  lock(id: UserId): ResultAsync<AccountFacts, AccountNotFound>;
}

/** An account's credentials. Nothing happens if the account does not exist. */
export interface Credentials {
  /** Sets a new password and renews the credentials, as `renew` does. */
  setPassword(id: UserId, hash: PasswordHash): ResultAsync<void, never>;
  /**
   * Locks the account until the unit ends, unless the session has ended: what it adds would outlive the event that ended
   * it. To be called before anything is added that gives access.
   */
  lockBy(id: UserId, session: SessionId): ResultAsync<void, Unauthenticated>;
  /** Voids everything issued under the current credentials: challenges, and mailed tokens unless those to reset stay. */
  renew(id: UserId, resets?: 'keep resets'): ResultAsync<void, never>;
  /** Replaces the hash of an unchanged password; does nothing if the password has changed since. */
  replacePasswordHash(
    id: UserId,
    change: { readonly from: PasswordHash; readonly to: PasswordHash },
  ): ResultAsync<void, never>;
}

/** Single-use tokens sent by mail, stored as hashes. Expired ones may be deleted at any time. */
export interface MailedTokens {
  /**
   * Issues a token for the account's current address and credentials, which supersedes earlier ones for the same
   * purpose.
   */
  issue(token: {
    readonly hash: TokenHash;
    readonly userId: UserId;
    readonly purpose: MailedTokenPurpose;
    readonly lifetimeSeconds: number;
  }): ResultAsync<void, never>;
  /** Makes other units that issue a token to the account wait; resolves to the number issued in the last `seconds`. */
  lockIssuedCount(userId: UserId, purpose: MailedTokenPurpose, seconds: number): ResultAsync<number, never>;
  /** The owner of a live token; the token is not redeemed. */
  holder(hash: TokenHash, purpose: MailedTokenPurpose): ResultAsync<UserId, MailedTokenInvalid>;
  /** Redeems the token; of concurrent redemptions, exactly one succeeds. */
  redeem(
    hash: TokenHash,
    purpose: MailedTokenPurpose,
  ): ResultAsync<{ readonly userId: UserId; readonly email: EmailKey }, MailedTokenInvalid>;
}

/** Slow, salted password hashing (argon2id). Fails with `HashingBusy` instead of queueing without bound. */
export interface PasswordHashes {
  hash(password: Password): ResultAsync<PasswordHash, HashingBusy>;
  /**
   * Takes the same time without a hash, so that timing does not reveal which accounts exist; the result is then false.
   */
  verify(hash: PasswordHash | undefined, attempt: PasswordAttempt): ResultAsync<boolean, HashingBusy>;
  /** Whether the hash was made with weaker parameters than the current ones. */
  isOutdated(hash: PasswordHash): boolean;
}
