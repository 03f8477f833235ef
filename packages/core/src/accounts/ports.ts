import type { ResultAsync } from 'neverthrow';
import type { PlausibleCredential, Recognized } from '../access/credential.ts';
import type { Unauthenticated } from '../access/errors.ts';
import type { Email, EmailKey } from '../mail/email.ts';
import type { MailedTokenPurpose } from '../mail/mailed-token.ts';
import type { UserId } from '../shared/ids.ts';
import type { TokenHash } from '../shared/token-hash.ts';
import type { AccountStanding, CredentialsVersion, PersonName, Profile, ProfileSettings } from './account.ts';
import type { AccountNotFound, EmailTaken, HashingBusy, MailedTokenInvalid } from './errors.ts';
import type { Password, PasswordAttempt, PasswordHash } from './password.ts';

/** What is known about an account when it is about to be used: who it is, and whether it may sign in. */
export interface AccountFacts {
  readonly userId: UserId;
  /** Absent for accounts that sign in by a provider only. */
  readonly passwordHash: PasswordHash | undefined;
  readonly standing: AccountStanding;
  readonly emailVerified: boolean;
  /** Switched off by an administrator. */
  readonly blocked: boolean;
  /** The address as stored. */
  readonly email: Email;
  readonly twoFactorEnabled: boolean;
  readonly credentialsVersion: CredentialsVersion;
}

/** Accounts of people. Two addresses that differ in ASCII case belong to one account. */
export interface Accounts {
  /** Adds an unverified account; of several simultaneous additions for one address exactly one succeeds. */
  add(account: {
    readonly id: UserId;
    readonly email: Email;
    readonly firstName: PersonName;
    readonly lastName: PersonName;
    /** Absent for an account whose owner has yet to choose a password. */
    readonly passwordHash: PasswordHash | undefined;
  }): ResultAsync<void, EmailTaken>;
  /** As `facts`, by address; undefined when no account has it. */
  factsByEmail(email: EmailKey): ResultAsync<AccountFacts | undefined, never>;
  facts(id: UserId): ResultAsync<AccountFacts, AccountNotFound>;
  profile(id: UserId): ResultAsync<Profile, AccountNotFound>;
  /** Marks the address verified if it still is the account's; an administrative block stays. */
  markEmailVerified(id: UserId, email: EmailKey): ResultAsync<void, MailedTokenInvalid>;
  saveProfile(id: UserId, settings: ProfileSettings): ResultAsync<Profile, AccountNotFound>;
  /** As `facts`, which cannot change before the unit ends. */
  lock(id: UserId): ResultAsync<AccountFacts, AccountNotFound>;
}

/** The account of the holder of a live credential. */
export interface OwnAccount {
  /** No membership is looked at. */
  profile(credential: PlausibleCredential): ResultAsync<Recognized<Profile>, Unauthenticated>;
}

/** What proves to be the person of an account. Nothing happens where there is no such account. */
export interface Credentials {
  /** Sets a new password and renews the credentials. */
  setPassword(id: UserId, hash: PasswordHash): ResultAsync<void, never>;
  /** What was issued for the credentials so far (challenges, mailed tokens) proves nothing any more. */
  renew(id: UserId): ResultAsync<void, never>;
  /** Replaces the hash of an unchanged password; does nothing when the password changed meanwhile. */
  replacePasswordHash(
    id: UserId,
    change: { readonly from: PasswordHash; readonly to: PasswordHash },
  ): ResultAsync<void, never>;
}

/** Single-use tokens sent by mail, stored as hashes. Expired ones may be deleted at any time. */
export interface MailedTokens {
  /** Issues a token for the account's current address and credentials; an older one for the same purpose dies. */
  issue(token: {
    readonly hash: TokenHash;
    readonly userId: UserId;
    readonly purpose: MailedTokenPurpose;
    readonly lifetimeSeconds: number;
  }): ResultAsync<void, never>;
  /** Makes other units that issue a token to the account wait; resolves to the number issued in the last so many seconds. */
  lockIssuedCount(userId: UserId, purpose: MailedTokenPurpose, seconds: number): ResultAsync<number, never>;
  /** Whom a live token belongs to; nothing is spent. */
  holder(hash: TokenHash, purpose: MailedTokenPurpose): ResultAsync<UserId, MailedTokenInvalid>;
  /** Spends the token; of any number of simultaneous redemptions exactly one succeeds. */
  redeem(
    hash: TokenHash,
    purpose: MailedTokenPurpose,
  ): ResultAsync<{ readonly userId: UserId; readonly email: EmailKey }, MailedTokenInvalid>;
}

/** Slow, salted password hashing (argon2id). Fails with `HashingBusy` instead of queueing without bound. */
export interface PasswordHashes {
  hash(password: Password): ResultAsync<PasswordHash, HashingBusy>;
  /** Takes as long without a hash as with one, so that nobody learns which accounts exist; then it is false. */
  verify(hash: PasswordHash | undefined, attempt: PasswordAttempt): ResultAsync<boolean, HashingBusy>;
  /** Whether the hash was made with weaker parameters than today's. */
  isOutdated(hash: PasswordHash): boolean;
}
