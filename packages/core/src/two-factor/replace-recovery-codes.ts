import { type ResultAsync, safeTry } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import type { Unauthenticated } from '../access/errors.ts';
import { record } from '../audit/record.ts';
import { notify } from '../mail/notify.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { InvalidVerificationCode, TwoFactorNotEnabled } from './errors.ts';
import { issueRecoveryCodes } from './recovery-code-set.ts';
import { type CodeVerification, spendCode } from './spend-code.ts';
import { requireEnabled, type VerificationCode } from './two-factor.ts';

interface Dependencies extends CodeVerification {
  readonly unitOfWork: UnitOfWork;
  readonly randomness: Randomness;
}

/** Replaces all recovery codes; resolves to the new ones, which are shown only once. */
export const replaceRecoveryCodes =
  (dependencies: Dependencies) =>
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
