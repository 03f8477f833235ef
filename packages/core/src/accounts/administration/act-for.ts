import { type ResultAsync } from 'neverthrow';
import type { OrganizationId, UserId } from '../../kernel/shared/ids.ts';
import type { UnitOfWork } from '../../kernel/shared/unit-of-work.ts';
import type { Caller } from '../../organizations/access/caller.ts';
import type { AccountNotFound } from '../../organizations/access/errors.ts';
import type { Memberships } from '../../organizations/access/ports.ts';
import type { Accounts } from '../accounts/ports.ts';
import type { Operator } from './record-operator.ts';

interface Repositories {
  readonly accounts: Accounts;
  readonly memberships: Memberships;
}

/**
 * A caller with a user's rights in one organization, for the operator. The audit log attributes the actions to the
 * user, with the operator's tool as the client and `operator` as the credential.
 */
export const actFor =
  ({ unitOfWork }: { unitOfWork: UnitOfWork<Repositories> }) =>
  (operator: Operator, user: UserId, organization: OrganizationId): ResultAsync<Caller, AccountNotFound> =>
    unitOfWork.run(({ accounts, memberships }) =>
      accounts
        .facts(user)
        .andThen(() => memberships.lock(organization, user))
        .map((membership) => ({
          userId: user,
          credential: { kind: 'operator', id: 'operator' },
          memberships: new Map(membership === undefined ? [] : [[organization, membership]]),
          client: operator,
        })),
    );
