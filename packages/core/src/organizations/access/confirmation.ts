import { err, ok, type Result } from 'neverthrow';
import type { Caller, ConfirmationMethod } from './caller.ts';
import { type ConfirmationRequired, confirmationRequired, type SessionRequired, sessionRequired } from './errors.ts';

/** How long a sign-in or a confirmation counts. A refresh is neither. */
export const confirmationSeconds = 15 * 60;

/** Why a caller has not shown recently enough that they are still the user who signed in. */
export type Unconfirmed = SessionRequired | ConfirmationRequired;

/** Admits signed-in users who have confirmed their session, and operators acting for a user; never API tokens. */
export function requireConfirmed({ credential }: Pick<Caller, 'credential'>): Result<void, Unconfirmed> {
  if (credential.kind === 'apiToken') return err(sessionRequired());
  if (credential.kind === 'operator' || credential.confirmed) return ok();
  return err(confirmationRequired(credential.confirmableBy));
}

/** Who has no factor that counts confirms by signing in by a provider again. */
export const confirmableBy = (factors: readonly ConfirmationMethod[]): readonly ConfirmationMethod[] =>
  factors.length === 0 ? ['provider'] : factors;
