import { err, type ResultAsync, safeTry } from 'neverthrow';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { SessionCaller } from '../../organizations/access/caller.ts';
import { record } from '../../organizations/audit/record.ts';
import { notify } from '../mailing/notify.ts';
import {
  type InvalidVerificationCode,
  type TwoFactorEnforced,
  type TwoFactorNotEnabled,
  twoFactorEnforced,
} from './errors.ts';
import type { TwoFactorRepositories } from './repositories.ts';
import { type CodeVerification, spendCode } from './spend-code.ts';
import { requireEnabled, type VerificationCode } from './two-factor.ts';

/**
 * Disables two-factor authentication, unless one of the user's organizations requires it; in that case the code is not
 * used up. Lock order: organizations, then account, so an organization that introduces the requirement concurrently
 * either waits or is taken into account.
 */
export const disableTwoFactor =
  ({ unitOfWork, ...verification }: CodeVerification & { unitOfWork: UnitOfWork<TwoFactorRepositories> }) =>
  (
    caller: SessionCaller,
    code: VerificationCode,
  ): ResultAsync<void, TwoFactorNotEnabled | TwoFactorEnforced | InvalidVerificationCode> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { credentials, memberships, twoFactors } = repositories;
        const user = caller.userId;
        const [enforcing] = yield* memberships.lockEnforcing(user);
        const { secret } = yield* requireEnabled(yield* twoFactors.lock(user));
        if (enforcing !== undefined) return err(twoFactorEnforced(enforcing));
        yield* spendCode(repositories, verification, { user, secret, code });
        yield* twoFactors.disable(user);
        // An unconfirmed session may be a stolen one: it must not take the way back from its owner.
        yield* credentials.renew(user, caller.credential.confirmed ? undefined : 'keep resets');
        yield* record(repositories, caller, 'twoFactor.disabled');
        return notify(repositories, user, 'two-factor-disabled', caller.client);
      }),
    );
