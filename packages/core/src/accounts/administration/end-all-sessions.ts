import { type ResultAsync, safeTry } from 'neverthrow';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { AccountRepositories } from '../repositories.ts';
import { type Operator, recordOperator } from './record-operator.ts';

/** Signs a user out everywhere. API tokens keep working. */
export const endAllSessions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<AccountRepositories> }) =>
  (operator: Operator, user: UserId): ResultAsync<void, AccountNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* repositories.accounts.lock(user);
        yield* repositories.sessions.endAllOf(user);
        return recordOperator(repositories, operator, 'account.sessionsEnded', user);
      }),
    );
