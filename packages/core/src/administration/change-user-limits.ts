import { type ResultAsync, safeTry } from 'neverthrow';
import type { AccountNotFound } from '../accounts/errors.ts';
import { recordFor } from '../audit/record.ts';
import type { UnitOfWork } from '../repositories.ts';
import type { UserId } from '../shared/ids.ts';
import type { InvalidInput } from '../shared/violation.ts';
import { type UserLimitName, userLimitNames } from '../usage-limits/usage-limits.ts';
import { limitsAfter, requireLimits } from './limit-changes.ts';
import type { LimitsOfUser } from './ports.ts';
import type { Operator } from './record-operator.ts';

/** New limits for a user; undefined restores the operator's default. Limits not named stay unchanged. */
export type UserLimitChanges = Readonly<Partial<Record<UserLimitName, number | undefined>>>;

export type ChangeUserLimits = (
  operator: Operator,
  user: UserId,
  changes: UserLimitChanges,
) => ResultAsync<LimitsOfUser, AccountNotFound | InvalidInput>;

/** Sets or clears a user's own limits, and resolves to what they are then. A change of nothing leaves no trace. */
export const changeUserLimits =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }): ChangeUserLimits =>
  (operator, id, changes) =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { accounts, userLimits } = repositories;
        yield* requireLimits(userLimitNames, changes);
        yield* accounts.lock(id);
        const before = yield* userLimits.of(id);
        const { own, changed } = limitsAfter(userLimitNames, before.own, changes);
        if (Object.keys(changed).length > 0) {
          yield* userLimits.set(id, own);
          yield* recordFor(repositories, undefined, operator, 'account.limitsChanged', { user: id, ...changed });
        }
        return userLimits.of(id);
      }),
    );
