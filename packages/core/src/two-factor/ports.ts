import type { ResultAsync } from 'neverthrow';
import type { Email } from '../mail/email.ts';
import type { UserId } from '../shared/ids.ts';
import type { InvalidVerificationCode, TwoFactorNotPending } from './errors.ts';
import type { RecoveryCode, RecoveryCodeHash } from './recovery-code.ts';
import type { TotpSecret, TwoFactor } from './two-factor.ts';

/** Second factors of accounts. Secrets are encrypted at rest, recovery codes stored as keyed hashes. */
export interface TwoFactors {
  /** The state, which cannot change before the unit ends. A setup that ran out is no longer pending. */
  lock(user: UserId): ResultAsync<TwoFactor, never>;
  /** Puts a secret up for confirmation, in place of one that is there already. */
  begin(setup: {
    readonly user: UserId;
    readonly secret: TotpSecret;
    readonly lifetimeSeconds: number;
  }): ResultAsync<void, never>;
  /** Pending becomes enabled; of several simultaneous calls exactly one succeeds. */
  enable(user: UserId): ResultAsync<void, TwoFactorNotPending>;
  /** Forgets secret, spent step and recovery codes. */
  disable(user: UserId): ResultAsync<void, never>;
  /** Spends a time step: each counts once, and none before one that was spent (RFC 6238 section 5.2). */
  spendStep(user: UserId, step: number): ResultAsync<void, InvalidVerificationCode>;
  replaceRecoveryCodes(user: UserId, codes: readonly RecoveryCodeHash[]): ResultAsync<void, never>;
  /** Spends the user's unspent code that has one of the hashes. */
  spendRecoveryCode(user: UserId, candidates: readonly RecoveryCodeHash[]): ResultAsync<void, InvalidVerificationCode>;
}

/** Time-based one-time passwords (RFC 6238): SHA-1, 6 digits, steps of 30 seconds. */
export interface OneTimeCodes {
  /** 20 random bytes. */
  newSecret(): TotpSecret;
  /** An `otpauth:` URI that authenticator apps read. */
  provisioningUri(secret: TotpSecret, account: Email): string;
  /** The time step that a code belongs to: the current one, the one before or the one after. Undefined: none of them. */
  stepOf(secret: TotpSecret, code: string): number | undefined;
}

/** Pictures for cameras. */
export interface QrCodes {
  /** A PNG image as a data URI. */
  dataUri(text: string): ResultAsync<string, never>;
}

/** Keyed hashing of recovery codes, bound to their user: the codes of another user never match. */
export interface RecoveryCodeHashes {
  /** By the current key. */
  of(user: UserId, code: RecoveryCode): RecoveryCodeHash;
  /** By every key that is still in use. */
  candidates(user: UserId, code: RecoveryCode): readonly RecoveryCodeHash[];
}
