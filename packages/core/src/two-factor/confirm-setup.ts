import { type ResultAsync, safeTry } from 'neverthrow';
import type { SessionCaller } from '../access/caller.ts';
import type { Unauthenticated } from '../access/errors.ts';
import { record } from '../audit/record.ts';
import { notify } from '../mail/notify.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { Randomness } from '../shared/randomness.ts';
import type { InvalidVerificationCode, TwoFactorNotPending } from './errors.ts';
import { issueRecoveryCodes } from './recovery-code-set.ts';
import { type CodeVerification, spendTotp } from './spend-code.ts';
import { requirePending, type VerificationCode } from './two-factor.ts';

interface Dependencies extends CodeVerification {
  readonly unitOfWork: UnitOfWork;
  readonly randomness: Randomness;
}

/**
 * Enables two-factor authentication once a code proves that the app has the secret; resolves to the recovery codes,
 * which are shown only once. The user's other sessions end, because a password alone opened them.
 */
export const confirmSetup =
  (dependencies: Dependencies) =>
  (
    caller: SessionCaller,
    code: VerificationCode,
  ): ResultAsync<readonly string[], TwoFactorNotPending | InvalidVerificationCode | Unauthenticated> =>
    dependencies.unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { credentials, sessions, twoFactors } = repositories;
        const user = caller.userId;
        yield* credentials.lockBy(user, caller.credential.id);
        const { secret } = yield* requirePending(yield* twoFactors.lock(user));
        yield* spendTotp(repositories, dependencies, { user, secret, code });
        yield* twoFactors.enable(user, { confirmed: caller.credential.confirmed });
        yield* credentials.renew(user);
        yield* sessions.endAllOf(user, caller.credential.id);
        yield* record(repositories, caller, 'twoFactor.enabled');
        yield* notify(repositories, user, 'two-factor-enabled', caller.client);
        return issueRecoveryCodes(repositories, dependencies, user);
      }),
    );
