import { type ResultAsync, safeTry } from 'neverthrow';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { Randomness } from '../../kernel/shared/randomness.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import type { Unauthenticated } from '../../organizations/access/errors.ts';
import { record } from '../../organizations/audit/record.ts';
import { notify } from '../mailing/notify.ts';
import type { InvalidVerificationCode, TwoFactorNotEnabled } from './errors.ts';
import type { RecoveryCodeHashes } from './ports.ts';
import { formatRecoveryCode, newRecoveryCodes } from './recovery-code.ts';
import type { TwoFactorRepositories } from './repositories.ts';
import { type CodeVerification, spendCode } from './spend-code.ts';
import { requireEnabled, type VerificationCode } from './two-factor.ts';

/** What is needed to check a code and to make recovery codes. */
export type RecoveryCodeIssue = CodeVerification & { readonly randomness: Randomness };

/** Replaces all recovery codes; resolves to the new ones, which are shown only once. */
export const replaceRecoveryCodes =
  (dependencies: RecoveryCodeIssue & { readonly unitOfWork: UnitOfWork<TwoFactorRepositories> }) =>
  (
    caller: SessionCaller,
    code: VerificationCode,
  ): ResultAsync<readonly string[], TwoFactorNotEnabled | InvalidVerificationCode | Unauthenticated> =>
    dependencies.unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const user = caller.userId;
        yield* repositories.credentials.lockBy(user, caller.credential.id);
        const { secret } = yield* requireEnabled(yield* repositories.twoFactors.lock(user));
        yield* spendCode(repositories, dependencies, { user, secret, code });
        yield* record(repositories, caller, 'twoFactor.recoveryCodesReplaced');
        yield* notify(repositories, user, 'recovery-codes-replaced', caller.client);
        return issueRecoveryCodes(repositories, dependencies, user);
      }),
    );

/** Replaces a user's recovery codes with ten new ones; resolves to them in readable form. */
export const issueRecoveryCodes = (
  { twoFactors }: Pick<TwoFactorRepositories, 'twoFactors'>,
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
