import type { ResultAsync } from 'neverthrow';
import type { Email } from '../../kernel/mail/email.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { InvalidVerificationCode, TwoFactorNotPending } from './errors.ts';
import type { RecoveryCode, RecoveryCodeHash } from './recovery-code.ts';
import type { TotpSecret, TwoFactor } from './two-factor.ts';

/** Two-factor authentication of accounts. Secrets are encrypted at rest, recovery codes stored as keyed hashes. */
export interface TwoFactors {
  /** Locks the state until the unit ends. An expired setup is no longer pending. */
  lock(user: UserId): ResultAsync<TwoFactor, never>;
  /** Stores a secret for confirmation, replacing an earlier one. */
  begin(setup: {
    readonly user: UserId;
    readonly secret: TotpSecret;
    readonly lifetimeSeconds: number;
  }): ResultAsync<void, never>;
  /**
   * Turns pending into enabled; of concurrent calls, exactly one succeeds. A factor that a confirmed session enrolled
   * confirms every session, another one only those that begin after its setup.
   */
  enable(user: UserId, enrolment: { readonly confirmed: boolean }): ResultAsync<void, TwoFactorNotPending>;
  /**
   * Deletes the secret, the used time step and the recovery codes; resolves to whether there was a secret. With `only`, a
   * factor that a confirmed session enabled, or that was set up earlier, stays.
   */
  disable(user: UserId, only?: { readonly unconfirmedForSeconds: number }): ResultAsync<boolean, never>;
  /** Marks a time step as used: each is valid once, and none before a used one (RFC 6238 section 5.2). */
  spendStep(user: UserId, step: number): ResultAsync<void, InvalidVerificationCode>;
  replaceRecoveryCodes(user: UserId, codes: readonly RecoveryCodeHash[]): ResultAsync<void, never>;
  /** Marks the user's unused code with one of the hashes as used. */
  spendRecoveryCode(user: UserId, candidates: readonly RecoveryCodeHash[]): ResultAsync<void, InvalidVerificationCode>;
}

/** Time-based one-time passwords (RFC 6238): SHA-1, 6 digits, steps of 30 seconds. */
export interface OneTimeCodes {
  /** 20 random bytes. */
  newSecret(): TotpSecret;
  /** An `otpauth:` URI that authenticator apps read. */
  provisioningUri(secret: TotpSecret, account: Email): string;
  /** The time step of a code: the current, previous or next one. Undefined: none of them. */
  stepOf(secret: TotpSecret, code: string): number | undefined;
}

/** Renders QR codes. */
export interface QrCodes {
  /** A PNG image as a data URI. */
  dataUri(text: string): ResultAsync<string, never>;
}

/** Keyed hashing of recovery codes, bound to the user: another user's codes never match. */
export interface RecoveryCodeHashes {
  /** With the current key. */
  of(user: UserId, code: RecoveryCode): RecoveryCodeHash;
  /** With every key still in use. */
  candidates(user: UserId, code: RecoveryCode): readonly RecoveryCodeHash[];
}
