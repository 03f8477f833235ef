import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import {
  type TwoFactorAlreadyEnabled,
  type TwoFactorNotEnabled,
  type TwoFactorNotPending,
  twoFactorAlreadyEnabled,
  twoFactorNotEnabled,
  twoFactorNotPending,
} from './errors.ts';

/** The shared secret of a TOTP generator in base32, as authenticator apps take it (RFC 6238). */
export type TotpSecret = string & z.$brand<'TotpSecret'>;

/** Two-factor state of an account (interface, "States and transitions"); each state carries exactly its data. */
export type TwoFactor =
  | { readonly state: 'disabled' }
  | { readonly state: 'pending'; readonly secret: TotpSecret }
  | { readonly state: 'enabled'; readonly secret: TotpSecret };

type WithSecret<S extends TwoFactor['state']> = Extract<TwoFactor, { state: S }>;

/** An unconfirmed secret expires after this time. */
export const pendingLifetimeSeconds = 15 * 60;

/** Allows a setup to start, for the first time or in place of a pending one. */
export const requireNotEnabled = (current: TwoFactor): Result<void, TwoFactorAlreadyEnabled> =>
  current.state === 'enabled' ? err(twoFactorAlreadyEnabled()) : ok();

/** The state with the secret to be confirmed. */
export const requirePending = (current: TwoFactor): Result<WithSecret<'pending'>, TwoFactorNotPending> =>
  current.state === 'pending' ? ok(current) : err(twoFactorNotPending());

/** The state with the secret that codes are checked against. */
export const requireEnabled = (current: TwoFactor): Result<WithSecret<'enabled'>, TwoFactorNotEnabled> =>
  current.state === 'enabled' ? ok(current) : err(twoFactorNotEnabled());

/** A code as typed: from an authenticator app, or a recovery code. */
export const VerificationCode = z.string().min(1).max(64).brand<'VerificationCode'>();
export type VerificationCode = z.infer<typeof VerificationCode>;
