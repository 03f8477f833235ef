import { type ResultAsync, safeTry } from 'neverthrow';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { Accounts } from '../accounts/ports.ts';
import type { Sessions } from '../sessions/ports.ts';
import { type Operator, recordOperator } from './record-operator.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly sessions: Sessions;
}

/** Signs a user out everywhere. API tokens keep working. */
export const endAllSessions =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, user: UserId): ResultAsync<void, AccountNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        yield* repositories.accounts.lock(user);
        yield* repositories.sessions.endAllOf(user);
        return recordOperator(repositories, operator, 'account.sessionsEnded', user);
      }),
    );
