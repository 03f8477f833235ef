import { ok, type ResultAsync, safeTry } from 'neverthrow';
import type { UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { AuditLog } from '../../organizations/audit/ports.ts';
import type { Accounts } from '../accounts/ports.ts';
import type { Sessions } from '../sessions/ports.ts';
import type { AccountBlocks } from './ports.ts';
import { type Operator, recordOperator } from './record-operator.ts';

interface Repositories {
  readonly accountBlocks: AccountBlocks;
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly sessions: Sessions;
}

/**
 * Blocks an account: sign-ins and refreshes fail as for an inactive account, sessions and API tokens stop working, and
 * pending invitations end (interface, "States and transitions"). Sessions are kept so that a refresh can report why it
 * failed; unblocking ends them. Resolves to whether the account was already blocked.
 */
export const blockUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, user: UserId): ResultAsync<boolean, AccountNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { blocked } = yield* repositories.accounts.lock(user);
        if (blocked) return ok(true);
        yield* repositories.accountBlocks.block(user);
        yield* recordOperator(repositories, operator, 'account.blocked', user);
        return ok(false);
      }),
    );

/**
 * Lifts a block. Sessions from before the block end, since one of them may have been the reason for it. API tokens work
 * again. Resolves to whether the account was blocked.
 */
export const unblockUser =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, user: UserId): ResultAsync<boolean, AccountNotFound> =>
    unitOfWork.run((repositories) =>
      safeTry(async function* () {
        const { blocked } = yield* repositories.accounts.lock(user);
        if (!blocked) return ok(false);
        yield* repositories.accountBlocks.unblock(user);
        yield* repositories.sessions.endAllOf(user);
        yield* recordOperator(repositories, operator, 'account.unblocked', user);
        return ok(true);
      }),
    );
