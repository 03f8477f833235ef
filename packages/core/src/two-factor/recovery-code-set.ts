import type { ResultAsync } from 'neverthrow';
import type { Repositories } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { RecoveryCodeHashes } from './ports.ts';
import { formatRecoveryCode, newRecoveryCodes } from './recovery-code.ts';

/** Replaces a user's recovery codes with ten new ones; resolves to them in readable form. */
export const issueRecoveryCodes = (
  { twoFactors }: Repositories,
  {
    randomness,
    recoveryCodeHashes,
  }: { readonly randomness: Randomness; readonly recoveryCodeHashes: RecoveryCodeHashes },
  user: UserId,
): ResultAsync<readonly string[], never> => {
  const codes = newRecoveryCodes(randomness);
  const hashes = codes.map((code) => recoveryCodeHashes.of(user, code));
  return twoFactors.replaceRecoveryCodes(user, hashes).map(() => codes.map(formatRecoveryCode));
};
