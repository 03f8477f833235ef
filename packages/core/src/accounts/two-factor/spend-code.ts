import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { UserId } from '../../kernel/shared/ids.ts';
import { type InvalidVerificationCode, invalidVerificationCode } from './errors.ts';
import type { OneTimeCodes, RecoveryCodeHashes, TwoFactors } from './ports.ts';
import { parseRecoveryCode } from './recovery-code.ts';
import type { TotpSecret, VerificationCode } from './two-factor.ts';

/** What is needed to check an authenticator or recovery code. */
export type CodeVerification = { readonly oneTimeCodes: OneTimeCodes; readonly recoveryCodeHashes: RecoveryCodeHashes };

interface Attempt {
  readonly user: UserId;
  readonly secret: TotpSecret;
  readonly code: VerificationCode;
}

/** Checks and uses up an authenticator code, or else a recovery code; resolves to which it was. Each is valid once. */
export const spendCode = (
  repositories: { readonly twoFactors: TwoFactors },
  verification: CodeVerification,
  attempt: Attempt,
): ResultAsync<'totp' | 'recovery', InvalidVerificationCode> =>
  isTotp(attempt.code)
    ? spendTotp(repositories, verification, attempt).map(() => 'totp' as const)
    : spendRecoveryCode(repositories, verification, attempt).map(() => 'recovery' as const);

/** Checks and uses up an authenticator code. */
export const spendTotp = (
  { twoFactors }: { readonly twoFactors: TwoFactors },
  { oneTimeCodes }: Pick<CodeVerification, 'oneTimeCodes'>,
  { user, secret, code }: Attempt,
): ResultAsync<void, InvalidVerificationCode> => {
  const step = isTotp(code) ? oneTimeCodes.stepOf(secret, withoutSpaces(code)) : undefined;
  return orInvalid(step).asyncAndThen((spent) => twoFactors.spendStep(user, spent));
};

const spendRecoveryCode = (
  { twoFactors }: { readonly twoFactors: TwoFactors },
  { recoveryCodeHashes }: CodeVerification,
  { user, code }: Attempt,
): ResultAsync<void, InvalidVerificationCode> => {
  const read = parseRecoveryCode(code);
  return orInvalid(read).asyncAndThen((recoveryCode) =>
    twoFactors.spendRecoveryCode(user, recoveryCodeHashes.candidates(user, recoveryCode)),
  );
};

const orInvalid = <T>(value: T | undefined): Result<T, InvalidVerificationCode> =>
  value === undefined ? err(invalidVerificationCode()) : ok(value);

const withoutSpaces = (code: string): string => code.replace(/ /g, '');
const isTotp = (code: string): boolean => /^[0-9]{6}$/.test(withoutSpaces(code));
