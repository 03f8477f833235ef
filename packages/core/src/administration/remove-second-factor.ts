import { type ResultAsync, safeTry } from 'neverthrow';
import type { AccountNotFound } from '../accounts/errors.ts';
import { notify } from '../mail/notify.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { TwoFactorNotEnabled } from '../two-factor/errors.ts';
import { requireEnabled } from '../two-factor/two-factor.ts';
import { type Operator, recordOperator } from './record-operator.ts';

/**
 * Disables two-factor authentication for a user who lost both the device and the recovery codes. Organizations that
 * require it stay off limits until the user enables it again. Sessions stay alive; the owner is notified by mail.
 */
export const removeSecondFactor =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (operator: Operator, user: UserId): ResultAsync<void, AccountNotFound | TwoFactorNotEnabled> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { accounts, credentials, twoFactors } = repositories;
        yield* accounts.facts(user);
        yield* requireEnabled(yield* twoFactors.lock(user));
        yield* twoFactors.disable(user);
        yield* credentials.renew(user);
        yield* recordOperator(repositories, operator, 'twoFactor.disabled', user);
        return notify(repositories, user, 'two-factor-disabled', operator);
      }),
    );
