import { type ResultAsync, safeTry } from 'neverthrow';
import type { AccountNotFound } from '../accounts/errors.ts';
import type { UnitOfWork } from '../../repositories.ts';
import type { UserId } from '../../kernel/shared/ids.ts';
import { type Operator, recordOperator } from './record-operator.ts';

/** Signs a user out everywhere. API tokens keep working. */
export const endAllSessions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork }) =>
  (operator: Operator, user: UserId): ResultAsync<void, AccountNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* repositories.accounts.lock(user);
        yield* repositories.sessions.endAllOf(user);
        return recordOperator(repositories, operator, 'account.sessionsEnded', user);
      }),
    );
